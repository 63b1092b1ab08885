import type { ActionCall } from '@foyer/protocol';
import { ACTION_CALL_STATUSES } from '@foyer/protocol/values/wire-names';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ScrollText } from 'lucide-react';
import { exact } from '../../times.ts';
import { SelectField } from '../../ui/forms/Field.tsx';
import { Page } from '../../ui/Page.tsx';
import { LogRow, LogText } from '../../ui/rows/LogRow.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Empty } from '../../ui/States.tsx';
import { actionsQuery, type CallFilter, callsQuery } from './action-queries.ts';
import { CallBadge } from './CallBadge.tsx';
import { t } from './t.ts';

const route = getRouteApi('/desk/knowledge/actions/log');

/** Calls of actions, the newest first; what is shown is in the address. */
export function CallLogScreen() {
  const filter = route.useSearch();
  const list = useInfiniteQuery(callsQuery(filter));
  const calls = list.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      place="action_log"
      title={t('log')}
      intro={t('log_intro')}
      back={{ to: '/knowledge/actions', label: t('title') }}
    >
      <Filters filter={filter} />
      <PagedList
        list={list}
        count={calls.length}
        label={t('log')}
        failed={t('log_failed')}
        bones={{ rows: 4 }}
        empty={
          <Empty icon={<ScrollText />} title={t(isFiltered ? 'log_none' : 'log_empty')}>
            {isFiltered ? null : t('log_empty_hint')}
          </Empty>
        }
      >
        {calls.map((call) => (
          <CallRow key={call.id} call={call} />
        ))}
      </PagedList>
    </Page>
  );
}

function Filters({ filter }: { filter: CallFilter }) {
  const navigate = route.useNavigate();
  const { data: actions = [] } = useQuery(actionsQuery);
  const set = (change: { [K in keyof CallFilter]?: CallFilter[K] | undefined }): void => {
    const { action, status } = { ...filter, ...change };
    void navigate({ search: { ...(action && { action }), ...(status && { status }) }, replace: true });
  };
  return (
    <div className="mb-3 flex flex-wrap gap-2">
      <SelectField
        bare
        label={t('action')}
        frame="min-w-36 flex-1 sm:max-w-64"
        value={filter.action ?? ''}
        onChange={({ target }) => set({ action: Number(target.value) || undefined })}
        any={t('action_any')}
        options={actions.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        bare
        label={t('status')}
        frame="min-w-36 flex-1 sm:max-w-52"
        value={filter.status ?? ''}
        onChange={({ target }) => set({ status: ACTION_CALL_STATUSES.find((one) => one === target.value) })}
        any={t('status_any')}
        options={ACTION_CALL_STATUSES.map((value) => ({ value, label: t(`status_${value}`) }))}
      />
    </div>
  );
}

function CallRow({ call }: { call: ActionCall }) {
  return (
    <LogRow
      title={<bdi>{call.action_name}</bdi>}
      note={t(`by_${call.by}`)}
      badge={<CallBadge call={call} />}
      utc={call.started_utc}
    >
      {() => <Details call={call} />}
    </LogRow>
  );
}

function Details({ call }: { call: ActionCall }) {
  const entered = Object.entries(call.input);
  return (
    <>
      <p className="tabular flex flex-wrap gap-x-3 text-soft">
        <span>{exact(call.started_utc)}</span>
        {call.duration_ms === null ? null : <span>{t('duration', { number: call.duration_ms })}</span>}
        {call.session_id ? (
          <Link
            to="/inbox/$sessionId"
            params={{ sessionId: call.session_id }}
            className="text-accent-text underline underline-offset-2"
          >
            {t('chat')}
          </Link>
        ) : null}
      </p>
      {call.status === 'unknown' ? <p>{t('unknown_hint')}</p> : null}
      {call.error ? <p className="wrap-anywhere text-danger-text">{call.error}</p> : null}
      {entered.length > 0 ? (
        <dl className="wrap-anywhere grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1">
          {entered.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {call.response_excerpt ? <LogText label={t('answer')}>{call.response_excerpt}</LogText> : null}
    </>
  );
}
