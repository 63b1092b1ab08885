import type { Session } from '@foyer/protocol';
import { Check, PanelRight, Undo2 } from 'lucide-react';
import { Suspense } from 'react';
import { useCommands } from '../../../commands/commands.ts';
import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../lazy-part.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Face } from '../../../ui/Face.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { Tip } from '../../../ui/Tip.tsx';
import { stateSentence, visitorName } from '../../../words.ts';
import { BackToList } from '../BackToList.tsx';
import { t } from '../t.ts';
import { useClose, useHold, useKeepOpen } from './session-actions.ts';

// Menus weigh more than the rest of an open chat, so they load after it.
const ChatMenu = lazyPart(() => import('./ChatMenu.tsx'), 'ChatMenu');
/** Only sites with SLA policies load it. */
const DueMark = lazyPart(() => import('../sla/DueMark.tsx'), 'DueMark');
const ChatSnooze = lazyPart(() => import('./ChatSnooze.tsx'), 'ChatSnooze');

/** The visitor, the assignee, and the actions. */
export function ChatHeader({ session, onDetails }: { session: Session; onDetails: () => void }) {
  const mayAnswer = useMay('answer');
  const hold = useHold(session);
  const name = visitorName(session.visitor);
  const close = useClose(session);
  const keepOpen = useKeepOpen(session);
  const isClosing = session.closes_utc !== null;
  const action = isClosing
    ? { label: t('keep_open'), run: () => keepOpen.mutate(), Icon: Undo2 }
    : { label: t('close_chat'), run: () => close.mutate(), Icon: Check };
  useCommands({ done: hold === 'closed' || !mayAnswer ? undefined : action });
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 border-b ps-4 pe-3 max-md:ps-1">
      <BackToList />
      <Face kind="visitor" name={session.visitor.name} />
      <div className="min-w-0 flex-1">
        <h2 className="truncate font-semibold">
          <bdi>{name}</bdi>
        </h2>
        <ChatState session={session} />
      </div>
      {hold === 'closed' || hold === 'bot' || !mayAnswer ? null : (
        <Suspense fallback={<span className="w-24 shrink-0 max-sm:hidden" />}>
          <ChatSnooze session={session} />
        </Suspense>
      )}
      {hold === 'closed' || !mayAnswer ? null : (
        <Tip text={action.label} shortcut="e">
          <Button
            small
            className="max-sm:w-10 max-sm:px-0"
            aria-label={action.label}
            icon={<action.Icon aria-hidden className="size-4" />}
            busy={close.isPending || keepOpen.isPending}
            onClick={action.run}
          >
            <span className="max-sm:hidden">{action.label}</span>
          </Button>
        </Tip>
      )}
      {mayAnswer ? (
        <Suspense fallback={<MenuPlace isClosed={hold === 'closed'} />}>
          <ChatMenu session={session} />
        </Suspense>
      ) : null}
      <IconButton label={t('show_person')} onClick={onDetails} className="xl:hidden">
        <PanelRight aria-hidden className="size-4" />
      </IconButton>
    </header>
  );
}

/** Whose turn it is, its team, and what is due next. */
function ChatState({ session }: { session: Session }) {
  const { agent } = useMe();
  const now = useNow();
  return (
    <p className="truncate text-soft text-xs">
      {stateSentence(session, now, agent.id)}
      {session.team ? <> · {t('of_team', { name: session.team.name })}</> : null}
      {session.sla?.due_utc ? (
        <Suspense>
          <span className="max-sm:hidden">
            {' · '}
            <DueMark sla={session.sla} now={now} />
          </span>
        </Suspense>
      ) : null}
    </p>
  );
}

const LOADING = { choices: () => [] };

/** In place of the menu. The palette opens at once on a key of one of its commands; the choices come with the menu. */
function MenuPlace({ isClosed }: { isClosed: boolean }) {
  useCommands({ assign: isClosed ? undefined : LOADING, tags: LOADING });
  return <span className="size-8 shrink-0 max-md:size-10" />;
}
