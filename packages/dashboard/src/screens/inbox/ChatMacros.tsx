import type { Session } from '@foyer/protocol';
import { Zap } from 'lucide-react';
import { lazy, Suspense } from 'react';
import type { Tab } from '../../live/drafts.ts';
import { IconButton } from '../../ui/Button.tsx';
import { t } from './t.ts';

const MacroPicker = lazy(() => import('./MacroPicker.tsx').then((part) => ({ default: part.MacroPicker })));

interface ChatMacrosProps {
  session: Session;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  /** The words of a macro, filled in, to be looked over before they are sent. */
  onInsert: (text: string, tab: Tab) => void;
}

/** The team's macros in a chat: their words, because everything else that a macro does needs a ticket. */
export function ChatMacros({ session: { visitor }, isOpen, onOpen, onInsert }: ChatMacrosProps) {
  return (
    <>
      <IconButton label={t('macros')} shortcut="m" onClick={() => onOpen(true)}>
        <Zap aria-hidden className="size-4" />
      </IconButton>
      {isOpen ? (
        <Suspense>
          <MacroPicker
            values={{
              'visitor.name': visitor.name,
              'visitor.email': visitor.email,
              'ticket.id': null,
              'ticket.subject': null,
            }}
            onInsert={onInsert}
            onClose={() => onOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
