import { SUSPENDED_COUNTED_MAX } from '@foyer/protocol/values/bounds';
import { MAIL_OUTCOMES, SENT_MAIL_STATES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { oneOf } from '../../address-search.ts';
import { suspendedQuery } from '../../queries.ts';
import { FilterChip } from '../../ui/FilterChip.tsx';
import { SelectField } from '../../ui/forms/Field.tsx';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { Page } from '../../ui/Page.tsx';
import { Badge } from '../../ui/States.tsx';
import { BlockedList } from './BlockedList.tsx';
import { LOG_VIEWS, type LogView, type MailLogFilter } from './mail-log-filter.ts';
import { ReceivedList } from './ReceivedList.tsx';
import { SentList } from './SentList.tsx';
import { SuspendedList } from './SuspendedList.tsx';
import { t } from './t.ts';

const route = getRouteApi('/desk/settings/mail-log');

/** What became of every email, and what waits for a decision. */
export function MailLogScreen() {
  const filter = route.useSearch();
  const { view = 'suspended' } = filter;
  return (
    <Page
      wide
      place={`mail-log ${view}`}
      title={t('title')}
      intro={t(`intro_${view}`)}
      tabs={<Tabs view={view} />}
      tools={view === 'blocked' ? null : <Filters />}
    >
      <List view={view} filter={filter} />
    </Page>
  );
}

function List({ view, filter }: { view: LogView; filter: MailLogFilter }) {
  switch (view) {
    case 'suspended':
      return <SuspendedList filter={filter} />;
    case 'received':
      return <ReceivedList filter={filter} />;
    case 'sent':
      return <SentList filter={filter} />;
    case 'blocked':
      return <BlockedList />;
  }
}

function Tabs({ view }: { view: LogView }) {
  const waiting = useQuery(suspendedQuery).data?.suspended ?? 0;
  return (
    <nav aria-label={t('title')} className="flex gap-1 overflow-x-auto border-b">
      {LOG_VIEWS.map((one) => (
        <Link
          key={one}
          to="/settings/mail-log"
          search={{ view: one }}
          aria-current={one === view ? 'page' : undefined}
          className="-mb-px -outline-offset-2 flex h-10 shrink-0 items-center gap-2 border-transparent border-b-2 px-3 font-medium text-soft hover:text-text aria-[current=page]:border-accent aria-[current=page]:text-text"
        >
          {t(`view_${one}`)}
          {one === 'suspended' && waiting > 0 ? (
            <Badge tone="warn">
              {waiting < SUSPENDED_COUNTED_MAX ? waiting : `${SUSPENDED_COUNTED_MAX}+`}
            </Badge>
          ) : null}
        </Link>
      ))}
    </nav>
  );
}

function Filters() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const set = (change: { [K in keyof MailLogFilter]?: MailLogFilter[K] | undefined }): void => {
    const next = Object.fromEntries(Object.entries({ ...filter, ...change }).filter(([, value]) => value));
    void navigate({ search: next as MailLogFilter, replace: true });
  };
  // An address is looked up as a whole, other words in the subject.
  const search = (text: string): void =>
    set(text.includes('@') ? { q: undefined, address: text } : { q: text, address: undefined });
  return (
    <>
      <div className="flex min-w-48 flex-1 max-sm:basis-full">
        <SearchField label={t('search')} value={filter.address ?? filter.q ?? ''} onChange={search} />
      </div>
      {filter.view === 'received' ? (
        <SelectField
          bare
          label={t('outcome')}
          frame="w-48 max-sm:flex-1"
          value={filter.outcome ?? ''}
          onChange={({ target }) => set({ outcome: oneOf(target.value, MAIL_OUTCOMES) })}
          any={t('outcome_all')}
          options={MAIL_OUTCOMES.map((value) => ({ value, label: t(`outcome_${value}`) }))}
        />
      ) : null}
      {filter.view === 'sent' ? (
        <SelectField
          bare
          label={t('state')}
          frame="w-48 max-sm:flex-1"
          value={filter.state ?? ''}
          onChange={({ target }) => set({ state: oneOf(target.value, SENT_MAIL_STATES) })}
          any={t('state_all')}
          options={SENT_MAIL_STATES.map((value) => ({ value, label: t(`state_${value}`) }))}
        />
      ) : null}
      {filter.ticket ? (
        <FilterChip
          phrase={t('ticket', { id: String(filter.ticket) })}
          label={t('all_tickets', { id: String(filter.ticket) })}
          onRemove={() => set({ ticket: undefined })}
        />
      ) : null}
    </>
  );
}
