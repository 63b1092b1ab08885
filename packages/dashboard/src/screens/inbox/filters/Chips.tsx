import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { agentsQuery, teamsQuery } from '../../../queries.ts';
import { FilterChip } from '../../../ui/FilterChip.tsx';
import { segmentsQuery } from '../../visitors/visitor-queries.ts';
import { type FilterName, fieldsIn, type InboxSearch, setFilters } from '../list/inbox-search.ts';
import { FieldChips } from './FieldChips.tsx';
import { phraseOf } from './filter-words.ts';
import { t } from './t.ts';

/** Why a list shows only one kind. */
function onlyOne({ view, priority, page, language }: InboxSearch): string | undefined {
  if (view !== undefined) return undefined;
  if (priority !== undefined) return t('only_tickets');
  return page !== undefined || language !== undefined ? t('only_chats') : undefined;
}

/** The active filters, each removable with one click. */
export function Chips({ search }: { search: InboxSearch }) {
  const navigate = useNavigate();
  const agents = useQuery({ ...agentsQuery, enabled: typeof search.assignee === 'number' }).data?.agents;
  const segments = useQuery({ ...segmentsQuery, enabled: search.segment !== undefined }).data?.items;
  const teams = useQuery({ ...teamsQuery, enabled: typeof search.team === 'number' }).data?.items;
  const set = setFilters(search);
  const ofFields = fieldsIn(search);
  if (set.length === 0 && ofFields.length === 0) return null;
  const names = {
    agent: (id: number) => agents?.find((one) => one.id === id)?.name,
    segment: (id: number) => segments?.find((one) => one.id === id)?.name,
    team: (id: number) => teams?.find((one) => one.id === id)?.name,
  };
  const remove = (name: FilterName): void => {
    const { [name]: _, ...rest } = search;
    void navigate({ to: '.', search: rest, replace: true });
  };
  const why = onlyOne(search);
  return (
    <>
      <ul aria-label={t('filters')} className="mt-2 flex flex-wrap gap-1.5">
        {set.map((name) => {
          const phrase = phraseOf(search, name, names);
          return (
            <li key={name} className="min-w-0 max-w-full">
              <FilterChip
                small
                phrase={phrase}
                label={t('chip_remove', { phrase })}
                onRemove={() => remove(name)}
              />
            </li>
          );
        })}
        {ofFields.length > 0 ? <FieldChips search={search} conditions={ofFields} /> : null}
      </ul>
      {why ? <p className="mt-1.5 text-faint text-xs">{why}</p> : null}
    </>
  );
}
