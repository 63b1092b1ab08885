import type { Session } from '@foyer/protocol';
import { Mail } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useShortcuts } from '../../desk/shortcuts.ts';
import { Button } from '../../ui/Button.tsx';
import { Tip } from '../../ui/Tip.tsx';
import { type Hold, useAccept } from './session-actions.ts';

const TakeOver = lazy(() => import('./TakeOver.tsx').then((part) => ({ default: part.TakeOver })));

/** Why one can't reply here yet, and what to do about it. */
export function NotMine({ session, hold }: { session: Session; hold: Hold }) {
  const accept = useAccept(session);
  const [taking, setTaking] = useState(false);
  const mayJoin = hold === 'waiting' || hold === 'bot';
  useShortcuts({ a: mayJoin ? () => accept.mutate(false) : undefined });
  const who = session.agent?.name ?? 'A colleague';
  const words: Record<Hold, string> = {
    waiting: session.contact_email
      ? `They have left ${session.contact_email} for an answer by e-mail. Join if they are still there.`
      : 'Nobody has this chat yet. Join it to reply; the visitor sees that you are there.',
    bot: 'The bot is answering. Join to take over; it won’t speak again in this chat.',
    other: `${who} has this chat. You can leave a note for them, or take the chat over.`,
    closed: 'This chat is closed. If the visitor writes again, a new chat begins.',
    mine: '',
  };
  return (
    <div
      role="tabpanel"
      aria-label="Reply"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3.5 pt-2.5"
    >
      <p className="wrap-anywhere min-w-56 flex-1 text-soft">{words[hold]}</p>
      {session.contact_email && hold !== 'bot' ? (
        <a
          href={`mailto:${session.contact_email}`}
          className="inline-flex h-8 items-center gap-2 font-medium text-accent-text hover:underline"
        >
          <Mail aria-hidden className="size-4" />
          Write an e-mail
        </a>
      ) : null}
      {mayJoin ? (
        <Tip text="Take this chat" shortcut="a">
          <Button
            look={hold === 'waiting' ? 'primary' : 'plain'}
            busy={accept.isPending}
            onClick={() => accept.mutate(false)}
          >
            Join the chat
          </Button>
        </Tip>
      ) : null}
      {hold === 'other' ? <Button onClick={() => setTaking(true)}>Take over</Button> : null}
      {taking ? (
        <Suspense>
          <TakeOver session={session} onClose={() => setTaking(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
