import type { InputOf } from '@foyer/protocol';
import { Eraser } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { IconButton } from '../../../ui/Button.tsx';
import { t } from './t.ts';

const RedactDialog = lazyPart(() => import('./RedactDialog.tsx'), 'RedactDialog');

/** A message of a chat or ticket, of which something can be redacted. */
export interface Redactable {
  of: Omit<InputOf<'redactions.create'>, 'text' | 'attachment_id'>;
  text: string;
  files: readonly { id: number; name: string }[];
}

/** Without white space and markdown, which a selection on the page doesn't have. */
const bare = (text: string): string => text.replace(/[\s*_`#>~]+/g, '');

/** The part of a text that is selected on the page, or nothing. */
function selectedIn(text: string): string {
  const selected = getSelection()?.toString().trim() ?? '';
  return bare(selected) !== '' && bare(text).includes(bare(selected)) ? selected : '';
}

/** Asks what of a message is to be redacted: the selected text, all of it, or a file. */
export function RedactButton({ what, className }: { what: Redactable; className?: string }) {
  const [asked, setAsked] = useState<{ selected: string }>();
  if (!useMay('answer')) return null;
  return (
    <>
      <IconButton
        small
        label={t('redact')}
        onClick={() => setAsked({ selected: selectedIn(what.text) })}
        {...(className ? { className } : {})}
      >
        <Eraser aria-hidden className="size-4" />
      </IconButton>
      {asked ? (
        <Suspense>
          <RedactDialog what={what} selected={asked.selected} onClose={() => setAsked(undefined)} />
        </Suspense>
      ) : null}
    </>
  );
}
