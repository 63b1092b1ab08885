import type { SlaPolicy } from '@foyer/protocol';
import { TICKET_PRIORITIES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus, Timer } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { formatList } from '../../../language.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { cx, LINE } from '../../../ui/classes.ts';
import { Page } from '../../../ui/Page.tsx';
import { Empty } from '../../../ui/States.tsx';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { OrderedRows } from '../OrderedRows.tsx';
import { slaPoliciesQuery } from './sla-queries.ts';
import { durationText } from './sla-values.ts';
import { t } from './t.ts';
import { useConditionText } from './use-condition-text.ts';

const NewPolicy = () => (
  <Link to="/settings/slas/$id" params={{ id: 'new' }} className={buttonLook('primary')}>
    <Plus aria-hidden className="size-4" />
    {t('new')}
  </Link>
);

/** The site's SLA policies in the order in which they are tried. */
export function SlaSettings(): ReactNode {
  const admin = useMay('workflow');
  const { data, error, refetch } = useQuery(slaPoliciesQuery);
  const policies = data?.items ?? [];
  return (
    <Page
      place="settings slas"
      title={t('title')}
      intro={t('intro')}
      actions={admin && policies.length > 0 ? <NewPolicy /> : null}
    >
      {!data ? (
        <Waiting error={error} retry={refetch} failed={t('failed')} rows={3} />
      ) : (
        <AdminOnly may="workflow">
          {policies.length === 0 ? (
            <Empty icon={<Timer />} title={t('none')} action={admin ? <NewPolicy /> : null}>
              {t('none_hint')}
            </Empty>
          ) : (
            <PolicyRows policies={policies} />
          )}
        </AdminOnly>
      )}
    </Page>
  );
}

function PolicyRows({ policies }: { policies: readonly SlaPolicy[] }) {
  const admin = useMay('workflow');
  const conditionText = useConditionText();
  return (
    <OrderedRows
      records={policies}
      label={t('title')}
      mayMove={admin}
      queryKey={slaPoliciesQuery.queryKey}
      write={(place) => call('sla_policies.update', place)}
      words={{
        notMoved: () => t('not_moved'),
        moved: (where) => t('moved', where),
        up: (name) => t('up', { name }),
        down: (name) => t('down', { name }),
      }}
    >
      {(policy) => <PolicyLink policy={policy} conditions={conditionText(policy.conditions)} />}
    </OrderedRows>
  );
}

function PolicyLink({ policy, conditions }: { policy: SlaPolicy; conditions: string }) {
  return (
    <Link
      to="/settings/slas/$id"
      params={{ id: String(policy.id) }}
      className="-outline-offset-2 block min-h-14 min-w-0 flex-1 px-4 py-2"
    >
      <span className={cx(LINE, 'block font-medium')}>
        <bdi>{policy.name}</bdi>
      </span>
      <span className="block truncate text-soft text-xs" dir="auto">
        {formatList(policy.applies_to.map((kind) => t(`kind_${kind}`)))} · {conditions} · {firstText(policy)}
      </span>
    </Link>
  );
}

/** How soon the first answer is promised. */
function firstText({ targets: { first_response } }: SlaPolicy): string {
  const times = TICKET_PRIORITIES.flatMap((priority) => first_response[priority] ?? []);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  if (times.length === 0) return t('no_first');
  if (from === to) return t('first_of', { time: durationText(from) });
  return t('first_between', { from: durationText(from), to: durationText(to) });
}
