import type { CustomFieldCondition, Field } from '@foyer/protocol';
import { ATTRIBUTE_SOUGHT_MAX } from '@foyer/protocol/values/bounds';
import { FIELD_FILTERS_MAX } from '@foyer/protocol/values/fields/field-names';
import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../../../ui/forms/Field.tsx';
import { customFieldsQuery, fieldsOf } from '../../fields/fields-query.ts';
import type { InboxSearch } from '../list/inbox-search.ts';
import { TypedFilter } from './TypedFilter.tsx';
import { t } from './t.ts';

/** The fields that the list can be filtered by: those of tickets, then of chats. Two of the same key are one. */
export function useFilterableFields({ view }: Pick<InboxSearch, 'view'>): Field[] {
  const all = useQuery(customFieldsQuery).data?.items;
  const found = [...fieldsOf(all, 'tickets'), ...(view === undefined ? fieldsOf(all, 'chats') : [])];
  return found.filter(({ key }, at) => found.findIndex((one) => one.key === key) === at);
}

/** Texts are searched for a part of them, all other kinds for a value. */
const opOf = ({ kind }: Field): 'contains' | 'eq' => (kind === 'text' || kind === 'link' ? 'contains' : 'eq');

function conditionOf(field: Field, text: string): CustomFieldCondition | undefined {
  const { key: custom_field, kind } = field;
  const value = kind === 'number' ? Number(text) : kind === 'yes_no' ? text === 'true' : text.trim();
  if (text.trim() === '' || Number.isNaN(value)) return undefined;
  return { custom_field, op: opOf(field), value };
}

interface CustomFiltersProps {
  search: InboxSearch;
  go: (search: InboxSearch) => void;
}

/** One filter for each custom field. */
export function CustomFilters({ search, go }: CustomFiltersProps) {
  const { fields: conditions = [], ...rest } = search;
  const fields = useFilterableFields(search);
  if (fields.length === 0) return null;
  const isFull = conditions.length >= FIELD_FILTERS_MAX;
  const set = (field: Field, text: string): void => {
    const others = conditions.filter(({ custom_field }) => custom_field !== field.key);
    const made = conditionOf(field, text);
    const next = made ? [...others, made] : others;
    go(next.length > 0 ? { ...rest, fields: next } : rest);
  };
  return (
    <fieldset className="border-t pt-3">
      <legend className="sr-only">{t('custom_fields')}</legend>
      <div className="grid grid-cols-2 gap-3">
        {fields.map((field) => {
          const own = conditions.find(({ custom_field }) => custom_field === field.key);
          return (
            <FieldFilter
              key={field.key}
              field={field}
              value={own && 'value' in own && own.op === opOf(field) ? String(own.value) : ''}
              disabled={isFull && !own}
              onChange={(text) => set(field, text)}
            />
          );
        })}
      </div>
      {isFull ? <p className="mt-3 text-soft">{t('custom_full', { count: FIELD_FILTERS_MAX })}</p> : null}
    </fieldset>
  );
}

interface FieldFilterProps {
  field: Field;
  value: string;
  disabled: boolean;
  onChange: (text: string) => void;
}

function FieldFilter({ field, value, disabled, onChange }: FieldFilterProps) {
  const { kind, name, choices } = field;
  if (kind === 'choice' || kind === 'choices' || kind === 'yes_no') {
    const offered =
      kind === 'yes_no'
        ? [
            { value: 'true', label: t('yes') },
            { value: 'false', label: t('no') },
          ]
        : choices.map((one) => ({ value: one, label: one }));
    const isOffered = value === '' || offered.some((one) => one.value === value);
    return (
      <SelectField
        label={name}
        value={value}
        disabled={disabled}
        any={t('any')}
        options={isOffered ? offered : [...offered, { value, label: value }]}
        onChange={({ target }) => onChange(target.value)}
      />
    );
  }
  return (
    <TypedFilter
      label={opOf(field) === 'contains' ? t('custom_contains', { name }) : name}
      type={kind === 'number' || kind === 'date' ? kind : 'text'}
      maxLength={ATTRIBUTE_SOUGHT_MAX}
      disabled={disabled}
      value={value}
      onChange={onChange}
    />
  );
}
