import { Popover } from '@base-ui/react/popover';
import { ATTRIBUTE_SOUGHT_MAX } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ListFilter } from 'lucide-react';
import { useId, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FilterChip } from '../../ui/FilterChip.tsx';
import { SelectField, TextField } from '../../ui/forms/Field.tsx';
import { t } from './t.ts';
import { fieldsQuery, segmentsQuery } from './visitor-queries.ts';
import {
  type FilterName,
  filtersIn,
  readVisitorSearch,
  SEEN_WITHIN,
  type SeenWithin,
  type VisitorSearch,
  withoutFilter,
  withoutFilters,
} from './visitor-search.ts';

/** Without the segment, which has its own field beside the search. */
const inMenu = (search: VisitorSearch): FilterName[] =>
  filtersIn(search).filter((name) => name !== 'segment');

const SPANS = Object.keys(SEEN_WITHIN) as SeenWithin[];

function useGo() {
  const navigate = useNavigate();
  return (search: VisitorSearch): void => void navigate({ to: '.', search, replace: true });
}

/** Filters the visitors; the choices are in the address. */
export function VisitorFilters({ search }: { search: VisitorSearch }) {
  const active = inMenu(search).length;
  return (
    <Popover.Root>
      <Popover.Trigger className="inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-lg border border-line-strong bg-field px-3 font-medium hover:bg-hover max-md:h-11">
        <ListFilter aria-hidden className="size-4" />
        <span className="max-sm:sr-only">{t('filters')}</span>
        {active > 0 ? <span className="tabular font-semibold text-accent-text">{active}</span> : null}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} className="z-50">
          <Popover.Popup
            aria-label={t('filters')}
            className="appear scroll-y max-h-(--available-height) w-80 max-w-(--available-width) rounded-lg bg-raised p-4 shadow-float outline-none"
          >
            <Fields search={search} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

type Choice = 'identity' | 'verified' | 'email' | 'blocked';
const CHOICES = {
  identity: ['identified', 'anonymous'],
  verified: ['yes', 'no'],
  email: ['yes', 'no'],
  blocked: ['yes', 'no'],
} as const satisfies Record<Choice, readonly string[]>;

function Fields({ search }: { search: VisitorSearch }) {
  const go = useGo();
  const set = (name: FilterName, value: string): void => go(readVisitorSearch({ ...search, [name]: value }));
  return (
    <div className="space-y-3">
      {(['identity', 'verified', 'email', 'blocked'] as const).map((name) => (
        <SelectField
          key={name}
          label={t(`filter_${name}`)}
          value={search[name] ?? ''}
          onChange={({ target }) => set(name, target.value)}
          any={t('any')}
          options={CHOICES[name].map((value) => ({ value, label: t(`filter_${value}`) }))}
        />
      ))}
      <SelectField
        label={t('filter_first')}
        value={search.first ?? ''}
        onChange={({ target }) => set('first', target.value)}
        any={t('any')}
        options={SPANS.map((span) => ({ value: span, label: t(`within_${span}`) }))}
      />
      <SelectField
        label={t('filter_last')}
        value={search.last ?? ''}
        onChange={({ target }) => set('last', target.value)}
        any={t('any')}
        options={[
          ...SPANS.map((span) => ({ value: span, label: t(`within_${span}`) })),
          { value: 'gone', label: t('within_gone') },
        ]}
      />
      <AttributeFields search={search} />
      <Button
        small
        look="quiet"
        className="-ms-3"
        disabled={inMenu(search).length === 0}
        onClick={() =>
          go({ ...withoutFilters(search), ...(search.segment ? { segment: search.segment } : {}) })
        }
      >
        {t('filters_clear')}
      </Button>
    </div>
  );
}

/**
 * An attribute, and then its value, which applies when the field loses focus: a search for half a word would be
 * useless.
 */
function AttributeFields({ search }: { search: VisitorSearch }) {
  const go = useGo();
  const id = useId();
  const known = useQuery(fieldsQuery).data?.attributes ?? [];
  const [value, setValue] = useState(search.value ?? '');
  const names = known.map(({ name }) => name);
  const { attribute } = search;
  const keep = (): void => go(readVisitorSearch({ ...search, value: value.trim() }));
  return (
    <>
      <SelectField
        label={t('filter_attribute')}
        value={attribute ?? ''}
        onChange={({ target }) => {
          setValue('');
          go(readVisitorSearch({ ...search, attribute: target.value, value: '' }));
        }}
        any={t('any')}
        options={(attribute && !names.includes(attribute) ? [attribute, ...names] : names).map((name) => ({
          value: name,
          label: name,
        }))}
      />
      {attribute ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            keep();
          }}
        >
          <TextField
            label={t('filter_value')}
            placeholder={t('filter_value_any')}
            list={id}
            maxLength={ATTRIBUTE_SOUGHT_MAX}
            value={value}
            onChange={(event) => setValue(event.target.value)}
            onBlur={keep}
          />
          <datalist id={id}>
            {known
              .find(({ name }) => name === attribute)
              ?.values.map((one) => (
                <option key={one} value={one} />
              ))}
          </datalist>
        </form>
      ) : null}
    </>
  );
}

/** A filter as a phrase. */
function phraseOf(search: VisitorSearch, name: FilterName, segmentName: string): string {
  const { attribute = '', value, first, last } = search;
  switch (name) {
    case 'segment':
      return t('chip_segment', { name: segmentName });
    case 'attribute':
      return value ? `${attribute}: ${value}` : t('chip_attribute', { name: attribute });
    case 'first':
      return t('chip_first', { span: t(`within_${first ?? '24h'}`) });
    case 'last':
      return t('chip_last', { span: t(`within_${last ?? '24h'}`) });
    case 'identity':
      return t(`filter_${search.identity ?? 'identified'}`);
    default:
      return t(`chip_${name === 'value' ? 'email' : name}_${search[name] === 'no' ? 'no' : 'yes'}`);
  }
}

/** The active filters, each removable with one click. */
export function FilterChips({ search }: { search: VisitorSearch }) {
  const go = useGo();
  const segments = useQuery({ ...segmentsQuery, enabled: search.segment !== undefined }).data?.items;
  const names = filtersIn(search);
  if (names.length === 0) return null;
  const segmentName = segments?.find(({ id }) => id === search.segment)?.name ?? `#${search.segment}`;
  return (
    <ul aria-label={t('filters')} className="flex basis-full flex-wrap gap-2">
      {names.map((name) => {
        const phrase = phraseOf(search, name, segmentName);
        return (
          <li key={name} className="min-w-0 max-w-full">
            <FilterChip
              phrase={phrase}
              label={t('chip_remove', { phrase })}
              onRemove={() => go(withoutFilter(search, name))}
            />
          </li>
        );
      })}
    </ul>
  );
}
