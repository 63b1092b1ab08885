import type { CustomFieldCondition } from '@foyer/protocol';
import { useNavigate } from '@tanstack/react-router';
import { FilterChip } from '../../../ui/FilterChip.tsx';
import type { InboxSearch } from '../list/inbox-search.ts';
import { useFilterableFields } from './CustomFilters.tsx';
import { fieldPhrase } from './filter-words.ts';
import { t } from './t.ts';

interface FieldChipsProps {
  search: InboxSearch;
  conditions: readonly CustomFieldCondition[];
}

/** The active conditions on custom fields, each removable with one click. */
export function FieldChips({ search, conditions }: FieldChipsProps) {
  const navigate = useNavigate();
  const fields = useFilterableFields(search);
  const remove = (condition: CustomFieldCondition): void => {
    const { fields: _, ...rest } = search;
    const others = conditions.filter((one) => one !== condition);
    const next = others.length > 0 ? { ...rest, fields: others } : rest;
    void navigate({ to: '.', search: next, replace: true });
  };
  return conditions.map((condition) => {
    const { custom_field: key } = condition;
    const phrase = fieldPhrase(condition, fields.find((one) => one.key === key)?.name ?? key);
    return (
      <li key={JSON.stringify(condition)} className="min-w-0 max-w-full">
        <FilterChip
          small
          phrase={phrase}
          label={t('chip_remove', { phrase })}
          onRemove={() => remove(condition)}
        />
      </li>
    );
  });
}
