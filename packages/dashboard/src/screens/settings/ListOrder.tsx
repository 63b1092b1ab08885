import { matchOf } from '../../commands/match.ts';
import { SearchField } from '../../ui/forms/SearchField.tsx';
import { Segments } from '../../ui/forms/Segments.tsx';
import { byName } from '../../words.ts';
import { t } from './t.ts';

/** So few are seen at a glance, in whatever order. */
const ORDERED_FROM = 5;
/** More than that don't fit a screen. */
const SEARCHED_FROM = 12;

/** Of a list of what the team has made and uses. */
export type UsedOrder = 'name' | 'uses';

/** What of such a list its page's address leaves. */
export interface ListSearch {
  q?: string;
}

interface ListOrderProps {
  /** How many there are. */
  count: number;
  order: UsedOrder;
  onChange: (order: UsedOrder) => void;
  /** What is looked for among their names. */
  q: string;
  /** How many of them are named like it. */
  found: number;
  onSearch: (search: ListSearch) => void;
}

/** By name, or the most used first; of many those whose names are looked for. */
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

/** The order itself; what is used as often as another goes by its name. */
export const inUsedOrder =
  <T extends { name: string }>(order: UsedOrder, usesOf: (one: T) => number) =>
  (one: T, other: T): number =>
    (order === 'uses' ? usesOf(other) - usesOf(one) : 0) || byName(one, other);

/** Those whose names answer what is looked for, in the order that they have. */
export const namedLike = <T extends { name: string }>(items: readonly T[], q: string): T[] =>
  items.filter(({ name }) => matchOf(name, q) > 0);
