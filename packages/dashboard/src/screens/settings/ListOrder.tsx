import { matchOf } from '../../commands/match.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { Segments } from '../../ui/forms/Segments.tsx';
import { byName } from '../../words.ts';
import { t } from './t.ts';

/** Shorter lists don't need sorting. */
const ORDERED_FROM = 5;
/** Longer lists don't fit a screen. */
const SEARCHED_FROM = 12;

/** The order of a list of things that the team creates and uses. */
export type UsedOrder = 'name' | 'uses';

/** The search and order in a list page's address. */
export interface ListSearch {
  q?: string;
}

interface ListOrderProps {
  /** The total number. */
  count: number;
  order: UsedOrder;
  onChange: (order: UsedOrder) => void;
  /** The search text. */
  q: string;
  /** The number of matches. */
  found: number;
  onSearch: (search: ListSearch) => void;
}

/** By name, or most used first; long lists can be searched. */
export const ListOrder = ({ count, order, onChange, q, found, onSearch }: ListOrderProps) =>
  count < ORDERED_FROM && q === '' ? null : (
    <div className="mb-3 flex flex-wrap items-center gap-x-2">
      {count < SEARCHED_FROM && q === '' ? null : (
        <div className="flex min-w-52 flex-1 py-1">
          <SearchField
            label={t('search_names')}
            value={q}
            onChange={(typed) => onSearch(typed ? { q: typed } : {})}
          />
        </div>
      )}
      <Segments
        label={t('order')}
        value={order}
        options={[
          { value: 'name', label: t('order_name') },
          { value: 'uses', label: t('order_uses') },
        ]}
        onChange={onChange}
      />
      <p role="status" className="basis-full text-soft">
        {found === 0 ? t('none_named', { q }) : ''}
      </p>
    </div>
  );

/** Sorts by the order; equally used ones by name. */
export const inUsedOrder =
  <T extends { name: string }>(order: UsedOrder, usesOf: (one: T) => number) =>
  (one: T, other: T): number =>
    (order === 'uses' ? usesOf(other) - usesOf(one) : 0) || byName(one, other);

/** The items whose names match, in the same order. */
export const namedLike = <T extends { name: string }>(items: readonly T[], q: string): T[] =>
  items.filter(({ name }) => matchOf(name, q) > 0);
