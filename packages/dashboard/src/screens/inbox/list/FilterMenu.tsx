import { Popover } from '@base-ui/react/popover';
import { TICKET_PRIORITIES, TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import type { ChangeEvent } from 'react';
import { agentsQuery, tagsQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { t } from '../t.ts';
import { priorityWord, statusWord } from '../ticket/ticket-words.ts';
import { filterCount, type InboxSearch, readInboxSearch, withoutFilters } from './inbox-search.ts';

/** Narrows tickets down by their fields; what is chosen is in the address. */
export function FilterMenu({ search }: { search: InboxSearch }) {
  const active = filterCount(search);
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={active > 0 ? t('filters_set', { count: active }) : t('filters')}
        title={t('filters')}
        className="inline-flex h-9 shrink-0 items-center justify-center gap-1 rounded-lg border border-line-strong bg-field px-2.5 text-soft hover:text-text max-md:h-11"
      >
        <ListFilter aria-hidden className="size-4" />
        {active > 0 ? <span className="tabular font-semibold text-accent-text text-xs">{active}</span> : null}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label={t('filters')}
            className="appear w-72 rounded-lg bg-raised p-4 shadow-float outline-none"
          >
            <Filters search={search} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Filters({ search }: { search: InboxSearch }) {
  const navigate = useNavigate();
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const tags = useQuery(tagsQuery).data?.items ?? [];
  const go = (next: InboxSearch): void => void navigate({ to: '.', search: next, replace: true });
  const field = (name: 'status' | 'priority' | 'assignee' | 'tag') => ({
    label: t(name),
    value: search[name] ?? '',
    onChange: ({ target }: ChangeEvent<HTMLSelectElement>) =>
      go(readInboxSearch({ ...search, [name]: target.value })),
  });
  return (
    <div className="space-y-3">
      <p className="text-soft">{t('filters_hint')}</p>
      <SelectField
        {...field('status')}
        any={t('any')}
        options={TICKET_STATUSES.map((value) => ({ value, label: statusWord(value) }))}
      />
      <SelectField
        {...field('priority')}
        any={t('any')}
        options={TICKET_PRIORITIES.map((value) => ({ value, label: priorityWord(value) }))}
      />
      <SelectField
        {...field('assignee')}
        any={t('any')}
        options={[
          { value: 'none', label: t('nobody') },
          ...agents.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <SelectField
        {...field('tag')}
        any={t('any')}
        options={tags.map(({ name }) => ({ value: name, label: name }))}
      />
      <Button
        small
        look="quiet"
        disabled={filterCount(search) === 0}
        onClick={() => go(withoutFilters(search))}
      >
        {t('filters_clear')}
      </Button>
    </div>
  );
}
