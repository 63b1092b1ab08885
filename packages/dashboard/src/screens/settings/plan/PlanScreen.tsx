import type { OutputOf, Plan } from '@foyer/protocol';
import { PLAN_LIMITS } from '@foyer/protocol/values/bounds';
import { PLANS } from '@foyer/protocol/values/wire-names';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { callQuery } from '../../../call-queries.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { formatNumber } from '../../../language.ts';
import { agentsQuery, meQuery, usageQuery } from '../../../queries.ts';
import { dateOf, dayOf } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { ListBones } from '../../../ui/States.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { DayChart } from '../../reports/charts/DayChart.tsx';
import { dayLong } from '../../reports/charts/figures.ts';
import { countTicks } from '../../reports/charts/ticks.ts';
import { Storage } from './Storage.tsx';
import { t } from './t.ts';

type Usage = OutputOf<'usage.get'>;
type Days = OutputOf<'usage.days'>['days'];

/** The plan's limits and their usage. */
export function PlanScreen() {
  const usage = useQuery(usageQuery);
  const days = useQuery(callQuery(['usage', 'days'], 'usage.days', {}));
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
          <ChangePlan />
          <Tokens days={days.data.days} />
          <Requests days={days.data.days} />
          <Storage />
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
          ticks={countTicks}
          say={formatNumber}
          nameOf={dayLong}
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
          ticks={countTicks}
          say={formatNumber}
          nameOf={dayLong}
        />
      )}
    </Section>
  );
}

/** These plans aren't sold: an admin of the installation chooses one, for instance to limit API tokens. */
function ChangePlan() {
  const { site } = useMe();
  const client = useQueryClient();
  const [plan, setPlan] = useState<Plan>(site.plan);
  const save = useMutation({
    mutationFn: () => call('site.set_plan', { plan }),
    onSuccess: (saved) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site: saved } : me));
      for (const queryKey of [['usage'], agentsQuery.queryKey, ['first_steps']])
        void client.invalidateQueries({ queryKey });
      toast.success(t('changed', { plan: t(`plan_${saved.plan}`) }));
    },
    onError: (error) => toast.error(t('change_failed'), error),
  });
  const offered = (name: Plan): string => {
    const { agents, requestsPerMinute: requests } = PLAN_LIMITS[name];
    const values = { plan: t(`plan_${name}`), requests };
    return agents === null ? t('offer_any', values) : t('offer', { ...values, count: agents });
  };
  const admin = useIsAdmin();
  return (
    <Section title={t('change_title')} intro={admin ? t('change_intro') : t('change_admin')}>
      {admin ? (
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            label={t('plan')}
            frame="w-80 max-w-full"
            value={plan}
            onChange={({ target }) => setPlan(PLANS.find((name) => name === target.value) ?? plan)}
            options={PLANS.map((name) => ({ value: name, label: offered(name) }))}
          />
          <Button
            look="primary"
            busy={save.isPending}
            disabled={plan === site.plan}
            onClick={() => save.mutate()}
          >
            {t('change_do')}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}
