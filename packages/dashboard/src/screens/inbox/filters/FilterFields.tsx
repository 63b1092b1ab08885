import { INBOX_PAGE_MAX } from '@foyer/protocol/values/bounds';
import { INBOX_CHANNELS, INBOX_SPANS, INBOX_STATUSES } from '@foyer/protocol/values/inbox-lists';
import { LANGUAGES } from '@foyer/protocol/values/languages';
import { DUE_STATES } from '@foyer/protocol/values/tickets/sla-names';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { languageName } from '../../../language-name.ts';
import { agentsQuery, tagsQuery, teamsQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { segmentsQuery } from '../../visitors/visitor-queries.ts';
import { queueLabel } from '../list/inbox-queues.ts';
import {
  type FilterName,
  filterCount,
  filtersIn,
  type InboxSearch,
  isSearching,
  readInboxSearch,
  withoutFilters,
} from '../list/inbox-search.ts';
import { priorityWord } from '../ticket/ticket-words.ts';
import { CustomFilters } from './CustomFilters.tsx';
import { inboxStatusWord } from './filter-words.ts';
import { TypedFilter } from './TypedFilter.tsx';
import { t } from './t.ts';

interface Option {
  value: string | number;
  label: string;
}

/** The choices for each filter; `page` is typed. */
export type FieldOptions = Record<Exclude<FilterName, 'page'>, readonly Option[]>;

export function useFilterOptions(search: InboxSearch): FieldOptions {
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const teams = useQuery(teamsQuery).data?.items ?? [];
  const tags = useQuery(tagsQuery).data?.items ?? [];
  const segments = useQuery(segmentsQuery).data?.items ?? [];
  const spans = INBOX_SPANS.map((value) => ({ value, label: t(`span_${value}`) }));
  const statuses = search.view === undefined || search.q ? INBOX_STATUSES : TICKET_STATUSES;
  return {
    channel: INBOX_CHANNELS.map((value) => ({ value, label: t(`channel_${value}`) })),
    status: statuses.map((value) => ({ value, label: inboxStatusWord(value) })),
    priority: TICKET_PRIORITIES.map((value) => ({ value, label: priorityWord(value) })),
    assignee: [
      { value: 'none', label: t('nobody') },
      ...agents.map(({ id, name }) => ({ value: id, label: name })),
    ],
    team: [
      { value: 'none', label: t('no_team') },
      ...teams.map(({ id, name }) => ({ value: id, label: name })),
    ],
    tag: tags.map(({ name }) => ({ value: name, label: name })),
    due: DUE_STATES.map((value) => ({ value, label: t(`due_${value}`) })),
    active: spans,
    created: spans,
    language: LANGUAGES.map((value) => ({ value, label: languageName(value) })),
    segment: segments.map(({ id, name }) => ({ value: id, label: name })),
  };
}

/** The filters that apply here. */
export function FilterFields({ search }: { search: InboxSearch }) {
  const navigate = useNavigate();
  const options = useFilterOptions(search);
  const go = (next: InboxSearch): void => void navigate({ to: '.', search: next, replace: true });
  const set = (name: FilterName | 'queue', value: string): void =>
    go(readInboxSearch({ ...search, [name]: value }));
  const isNarrowed = filterCount(search) > 0;
  return (
    <div className="space-y-3">
      <div className="grid grid-cols-2 gap-3">
        {isNarrowed && !isSearching(search) ? (
          <SelectField
            label={t('filters_in')}
            frame="col-span-2"
            value={search.queue ?? ''}
            onChange={({ target }) => set('queue', target.value)}
            any={t('everything')}
            options={search.queue ? [{ value: search.queue, label: queueLabel(search.queue) }] : []}
          />
        ) : null}
        {filtersIn(search).map((name) =>
          name === 'page' ? (
            <TypedFilter
              key={name}
              label={t('field_page')}
              placeholder="/checkout"
              maxLength={INBOX_PAGE_MAX}
              value={search.page ?? ''}
              onChange={(page) => set('page', page)}
            />
          ) : (
            <SelectField
              key={name}
              label={t(`field_${name}`)}
              value={search[name] ?? ''}
              onChange={({ target }) => set(name, target.value)}
              any={t('any')}
              options={options[name]}
            />
          ),
        )}
      </div>
      <CustomFilters search={search} go={go} />
      {search.q ? <p className="text-soft">{t('phrase_hint')}</p> : null}
      <Button
        small
        look="quiet"
        className="-ms-3"
        disabled={!isNarrowed}
        onClick={() => go(withoutFilters(search))}
      >
        {t('filters_clear')}
      </Button>
    </div>
  );
}
