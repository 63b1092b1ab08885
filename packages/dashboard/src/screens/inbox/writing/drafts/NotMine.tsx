import type { Session } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { type RefObject, Suspense, useState } from 'react';
import { useCommands } from '../../../../commands/commands.ts';
import { useMe } from '../../../../desk/DeskContext.tsx';
import { lazyPart } from '../../../../lazy-part.ts';
import { mailStatusQuery } from '../../../../queries.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Tip } from '../../../../ui/Tip.tsx';
import { type Hold, useAccept } from '../../chat/session-actions.ts';
import { t } from '../t.ts';

const TakeOver = lazyPart(() => import('./TakeOver.tsx'), 'TakeOver');

interface NotMineProps {
  session: Session;
  hold: Hold;
  way: RefObject<HTMLButtonElement | null>;
}

/** Why the agent can't reply here yet. */
function useHoldWords({ contact_email: email, agent }: Session, hold: Hold): string {
  const { site } = useMe();
  const { data: mail } = useQuery({ ...mailStatusQuery, enabled: email !== null });
  switch (hold) {
    case 'waiting': {
      if (!email) return t('hold_waiting');
      // Replies in the chat are emailed too, if the visitor doesn't come back.
      const isAnsweredHere = mail?.sends_mail === false || site.email_replies_after_min !== null;
      return t(isAnsweredHere ? 'hold_waiting_known' : 'hold_waiting_email', { email });
    }
    case 'bot':
      return t('hold_bot');
    case 'other':
      return t('hold_other', { who: agent?.name ?? t('a_colleague') });
    case 'closed':
      return t('hold_closed');
    case 'mine':
      return '';
  }
}

/** What the agent can do where they can't reply yet, and why. */
export function NotMine({ session, hold, way }: NotMineProps) {
  const accept = useAccept(session);
  const words = useHoldWords(session, hold);
  const [taking, setTaking] = useState(false);
  const mayJoin = hold === 'waiting' || hold === 'bot';
  useCommands({ join: mayJoin ? () => accept.mutate(false) : undefined });
  return (
    <div
      role="tabpanel"
      aria-label={t('reply')}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3.5 pt-2.5"
    >
      <p className="wrap-anywhere min-w-56 flex-1 text-soft">{words}</p>
      {session.contact_email && hold !== 'bot' ? (
        <a
          href={`mailto:${session.contact_email}`}
          className="inline-flex h-8 items-center gap-2 font-medium text-accent-text hover:underline"
        >
          <Mail aria-hidden className="size-4" />
          {t('write_email')}
        </a>
      ) : null}
      {mayJoin ? (
        <Tip text={t('join')} shortcut="a">
          <Button
            ref={way}
            look={hold === 'waiting' ? 'primary' : 'plain'}
            busy={accept.isPending}
            onClick={() => accept.mutate(false)}
          >
            {t('join')}
          </Button>
        </Tip>
      ) : null}
      {hold === 'other' ? (
        <Button ref={way} onClick={() => setTaking(true)}>
          {t('take_over')}
        </Button>
      ) : null}
      {taking ? (
        <Suspense>
          <TakeOver session={session} onClose={() => setTaking(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
