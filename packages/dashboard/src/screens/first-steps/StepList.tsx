import type { FirstStep, FirstSteps, SnippetSighting } from '@foyer/protocol';
import { Circle, CircleAlert, CircleCheck } from 'lucide-react';
import { useMe } from '../../desk/DeskContext.tsx';
import { cx } from '../../ui/classes.ts';
import { Rows } from '../../ui/Page.tsx';
import { LinkRow } from '../../ui/rows/LinkRow.tsx';
import { Ago } from '../../ui/Time.tsx';
import { t } from './t.ts';

/** The page for each step. */
const PLACES = {
  snippet: '/settings/install',
  look: '/settings/widget',
  article: '/knowledge/new',
  chat: '/settings/install',
  team: '/settings/agents',
  hours: '/settings/hours',
  mail: '/settings/mail',
  picture: '/settings/account',
  alerts: '/settings/notifications',
} as const satisfies Record<FirstStep, string>;

/** Each step with the evidence that it is done, or its purpose, and a link. */
export function StepList({ first }: { first: FirstSteps }) {
  return (
    <Rows label={t('title')}>
      {first.steps.map(({ step, done }) => (
        <li key={step}>
          <Step step={step} done={done} snippet={first.snippet} />
        </li>
      ))}
    </Rows>
  );
}

interface StepProps {
  step: FirstStep;
  done: boolean;
  snippet: SnippetSighting | null;
}

function Step({ step, done, snippet }: StepProps) {
  const { agent } = useMe();
  const isElsewhere = step === 'snippet' && snippet?.allowed === false;
  const Icon = done ? CircleCheck : isElsewhere ? CircleAlert : Circle;
  return (
    <LinkRow
      to={
        isElsewhere ? '/settings/site' : agent.role === 'agent' && step === 'chat' ? '/inbox' : PLACES[step]
      }
    >
      <Icon
        aria-hidden
        className={cx(
          'size-5 shrink-0',
          done ? 'text-good-text' : isElsewhere ? 'text-warn-text' : 'text-faint',
        )}
      />
      <span className="min-w-0 flex-1">
        <span className={cx('block', done ? 'text-soft' : 'font-medium')}>
          {t(`step_${step}`)}
          <span className="sr-only"> ({t(done ? 'done' : 'to_do')})</span>
        </span>
        <Hint step={step} done={done} snippet={snippet} />
      </span>
    </LinkRow>
  );
}

function Hint({ step, done, snippet }: StepProps) {
  const { agent } = useMe();
  const look = 'wrap-anywhere block text-soft';
  if (step === 'snippet' && snippet) {
    const { page_url, origin, seen_utc, allowed } = snippet;
    return (
      <span className={look}>
        {t.rich(allowed ? 'snippet_seen' : 'snippet_not_allowed', {
          page: <bdi className="font-medium">{pageName(page_url ?? origin)}</bdi>,
          when: <Ago words utc={seen_utc} />,
        })}
      </span>
    );
  }
  if (done) return null;
  return (
    <span className={look}>
      {t(step === 'chat' && agent.role === 'agent' ? 'hint_chat_agent' : `hint_${step}`)}
    </span>
  );
}

/** Without the obvious parts. */
const pageName = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '');
