import type { OutputOf, Rule } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, ScrollText, TriangleAlert, Workflow } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { setOptimistically } from '../../../call-queries.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { buttonLook } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Page, Rows, Section } from '../../../ui/Page.tsx';
import { MoveButtons, movedIn, useRowOrder } from '../../../ui/rows/RowOrder.tsx';
import { Badge, Empty } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { disabledWords } from './failure-words.ts';
import { rulesQuery, ruleUsesQuery } from './rule-queries.ts';
import { TemplateList } from './TemplateList.tsx';
import { t } from './t.ts';
import { useEnabling } from './use-enabling.ts';
import { useRuleWords } from './use-rule-words.ts';

/** The site's rules in the order in which they run. */
export function RulesSettings(): ReactNode {
  const mayChange = useMay('workflow');
  const { data, error, refetch } = useQuery(rulesQuery);
  const rules = data?.items ?? [];
  return (
    <Page
      wide
      place="settings rules"
      title={t('title')}
      intro={t('intro')}
      actions={
        <>
          <Link to="/settings/rules/log" className={buttonLook('plain')}>
            <ScrollText aria-hidden className="size-4" />
            {t('log')}
          </Link>
          {mayChange ? (
            <Link to="/settings/rules/$id" params={{ id: 'new' }} className={buttonLook('primary')}>
              <Plus aria-hidden className="size-4" />
              {t('new')}
            </Link>
          ) : null}
        </>
      }
    >
      {data ? (
        <AdminOnly may="workflow">
          {rules.length > 0 ? <RuleRows rules={rules} /> : null}
          {mayChange ? (
            <Section
              title={t(rules.length > 0 ? 'templates' : 'none')}
              intro={t(rules.length > 0 ? 'templates_intro' : 'none_hint')}
            >
              <TemplateList />
            </Section>
          ) : rules.length === 0 ? (
            <Empty icon={<Workflow />} title={t('none')}>
              {t('none_read_only')}
            </Empty>
          ) : null}
        </AdminOnly>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
      )}
    </Page>
  );
}

/** Moves a rule, immediately on the screen. The server numbers the others. */
function useMoving() {
  const client = useQueryClient();
  const { queryKey } = rulesQuery;
  return useMutation({
    mutationFn: ({ id, to }: { id: number; from: number; to: number }) =>
      call('rules.update', { id, position: to + 1 }),
    onMutate: ({ from, to }) =>
      setOptimistically<{ items: Rule[] }>(client, queryKey, ({ items }) => ({
        items: movedIn(items, from, to),
      })),
    onError: (error) => toast.error(t('not_moved'), error),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

function RuleRows({ rules }: { rules: readonly Rule[] }) {
  const mayChange = useMay('workflow');
  const uses = useQuery(ruleUsesQuery).data?.rules;
  const moving = useMoving();
  const order = useRowOrder({
    count: rules.length,
    off: !mayChange || moving.isPending,
    onMove: (from, to) => {
      const id = rules[from]?.id;
      if (id !== undefined) moving.mutate({ id, from, to });
    },
    words: (from, to) => t('moved', { name: rules[from]?.name ?? '', to: to + 1, total: rules.length }),
  });
  return (
    <>
      <Rows label={t('title')}>
        {rules.map((rule, at) => (
          <li
            key={rule.id}
            className={cx('flex flex-wrap items-center gap-x-2 pe-2 hover:bg-hover', order.lookOf(at))}
            {...order.rowProps(at)}
          >
            <RuleRow rule={rule} use={uses?.find(({ id }) => id === rule.id)} />
            {mayChange && rules.length > 1 ? (
              <span className="ms-auto flex">
                <MoveButtons
                  at={at}
                  count={rules.length}
                  up={t('up', { name: rule.name })}
                  down={t('down', { name: rule.name })}
                  busy={moving.isPending}
                  onMove={order.move}
                />
              </span>
            ) : null}
          </li>
        ))}
      </Rows>
      {order.status}
    </>
  );
}

interface RuleRowProps {
  rule: Rule;
  /** Undefined until it is loaded. */
  use: OutputOf<'rules.uses'>['rules'][number] | undefined;
}

function RuleRow({ rule, use }: RuleRowProps) {
  const mayChange = useMay('workflow');
  const { sentence, missing } = useRuleWords();
  const enable = useEnabling();
  const gone = disabledWords(rule) ?? missing(rule);
  return (
    <>
      <span className="ps-4">
        <Toggle
          bare
          label={t('enable', { name: rule.name })}
          on={rule.enabled}
          disabled={!mayChange}
          busy={enable.isPending}
          onChange={(enabled) => enable.mutate({ id: rule.id, enabled })}
        />
      </span>
      <Link
        to="/settings/rules/$id"
        params={{ id: String(rule.id) }}
        className="-outline-offset-2 block min-h-14 min-w-0 flex-1 basis-52 px-2 py-3"
      >
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="wrap-anywhere font-medium">{rule.name}</bdi>
          {rule.enabled ? null : <Badge>{t('off')}</Badge>}
          {rule.final ? <Badge>{t('stops')}</Badge> : null}
          {use && use.failures > 0 ? (
            <Badge tone="danger">{t('failures', { count: use.failures })}</Badge>
          ) : null}
          {use ? (
            <span className="text-faint text-xs">
              {use.last_run_utc
                ? t.rich('last_run', { when: <Ago words utc={use.last_run_utc} /> })
                : t('never_ran')}
            </span>
          ) : null}
        </span>
        <span className={cx('wrap-anywhere block', rule.enabled ? 'text-soft' : 'text-faint')} dir="auto">
          {sentence(rule)}
        </span>
        {gone ? (
          <span className="wrap-anywhere mt-1 flex items-start gap-1 text-warn-text">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            {gone}
          </span>
        ) : null}
      </Link>
    </>
  );
}
