import type { OutputOf } from '@foyer/protocol';
import { PLAN_LIMITS } from '@foyer/protocol/bounds';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { useMe } from '../../../desk/DeskContext.tsx';
import { formatNumber } from '../../../language.ts';
import { dateOf, dayOf } from '../../../times.ts';
import { CopyBox } from '../../../ui/Copy.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { ListBones } from '../../../ui/States.tsx';
import { DayChart } from '../../reports/DayChart.tsx';
import { Storage } from './Storage.tsx';
import { t } from './t.ts';

type Usage = OutputOf<'usage.get'>;
type Days = OutputOf<'usage.days'>['days'];

/** What the plan allows, and what was used of it. */
export function PlanScreen() {
  const usage = useQuery({ queryKey: ['usage'], queryFn: ({ signal }) => call('usage.get', {}, signal) });
  const days = useQuery({
    queryKey: ['usage', 'days'],
    queryFn: ({ signal }) => call('usage.days', {}, signal),
  });
  const failed = usage.data && days.data ? null : (usage.error ?? days.error);
  return (
    <Page place="settings plan" title={t('plan_title')} intro={t('plan_intro')}>
      {failed ? (
        <ErrorNote
          error={failed}
          title={t('plan_failed')}
          onRetry={() => void Promise.all([usage.refetch(), days.refetch()])}
        />
      ) : usage.data && days.data ? (
        <>
          <Limits usage={usage.data} />
          <Tokens days={days.data.days} />
          <Requests days={days.data.days} />
          <Storage />
          <ChangePlan />
        </>
      ) : (
        <ListBones rows={6} face={false} />
      )}
    </Page>
  );
}

function Limits({ usage }: { usage: Usage }) {
  const limits = PLAN_LIMITS[usage.plan];
  const figures: [name: string, value: string, note: string][] = [
    [
      t('agents'),
      usage.agent_limit === null
        ? formatNumber(usage.agents)
        : t('of', { part: usage.agents, all: usage.agent_limit }),
      usage.agent_limit === null ? t('agents_any') : t('agents_note'),
    ],
    [t('requests_minute'), formatNumber(limits.requestsPerMinute), t('requests_note')],
    [t('replies'), formatNumber(usage.ai_replies), t('replies_note')],
    [t('tokens'), formatNumber(usage.bot_tokens), t('tokens_note')],
  ];
  return (
    <Section
      title={t('plan_name', { plan: t(`plan_${usage.plan}`) })}
      intro={t('cycle', { from: dateOf(usage.cycle_start_utc), to: dateOf(usage.cycle_end_utc) })}
    >
      <dl className="grid gap-px overflow-hidden rounded-lg border bg-line sm:grid-cols-2">
        {figures.map(([name, value, note]) => (
          <div key={name} className="bg-surface p-4">
            <dt className="text-soft">{name}</dt>
            <dd className="tabular font-semibold text-lg">{value}</dd>
            <dd className="mt-1 text-soft text-xs">{note}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Tokens({ days }: { days: Days }) {
  const replies = days.reduce((sum, day) => sum + day.ai_replies, 0);
  const used = days.reduce((sum, day) => sum + day.bot_tokens_input + day.bot_tokens_output, 0);
  return (
    <Section
      title={t('tokens_question')}
      intro={
        used === 0
          ? t('tokens_none', { count: replies })
          : t('tokens_answer', { tokens: Math.round(used / days.length), count: replies })
      }
    >
      {used === 0 ? null : (
        <DayChart
          points={days.map(({ day, bot_tokens_input: read, bot_tokens_output: written }) => ({
            day,
            parts: [read, written],
          }))}
          series={[t('tokens_in'), t('tokens_out')]}
          label={t('tokens_question')}
          caption={t('tokens_caption')}
          say={formatNumber}
        />
      )}
    </Section>
  );
}

function Requests({ days }: { days: Days }) {
  const all = days.reduce((sum, day) => sum + day.requests, 0);
  const most = days.reduce((top, day) => (day.requests > top.requests ? day : top), { requests: 0, day: '' });
  return (
    <Section
      title={t('requests_question')}
      intro={
        all === 0
          ? t('requests_none')
          : t('requests_answer', { count: all, most: most.requests, day: dayOf(most.day) })
      }
    >
      {all === 0 ? null : (
        <DayChart
          points={days.map(({ day, requests }) => ({ day, parts: [requests] }))}
          series={[t('requests')]}
          label={t('requests_question')}
          caption={t('requests_caption')}
          say={formatNumber}
        />
      )}
    </Section>
  );
}

/** There is no shop in it: whoever runs the installation says the plan. */
function ChangePlan() {
  const { site } = useMe();
  return (
    <Section title={t('change_title')} intro={t('change_intro')}>
      <CopyBox wrap text={t('change_command', { site: String(site.id) })} label={t('change_copy')} />
    </Section>
  );
}
