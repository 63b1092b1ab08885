import type { InputOf, VisitorSort } from '@foyer/protocol';
import { ATTRIBUTE_NAME_MAX, ATTRIBUTE_SOUGHT_MAX } from '@foyer/protocol/values/bounds';
import { HOUR_MS } from '@foyer/protocol/values/durations';
import { given, idOf, oneOf, textOf } from '../../address-search.ts';
import { timeBefore } from '../../times.ts';

/** Time spans in the address. */
export const SEEN_WITHIN = { '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const;
export type SeenWithin = keyof typeof SEEN_WITHIN;

/** The state of the list in the address. */
export interface VisitorSearch {
  q?: string;
  segment?: number;
  identity?: 'identified' | 'anonymous';
  verified?: 'yes' | 'no';
  email?: 'yes' | 'no';
  blocked?: 'yes' | 'no';
  first?: SeenWithin;
  /** `gone`: not seen for 30 days. */
  last?: SeenWithin | 'gone';
  attribute?: string;
  value?: string;
  sort?: Exclude<VisitorSort, '-last_seen'>;
}

export type FilterName = Exclude<keyof VisitorSearch, 'q' | 'sort'>;

const YES_NO = ['yes', 'no'] as const;
const SPANS = Object.keys(SEEN_WITHIN) as SeenWithin[];

/** Reads the address, ignoring invalid values. */
export function readVisitorSearch(search: Record<string, unknown>): VisitorSearch {
  const attribute = textOf(search.attribute, ATTRIBUTE_NAME_MAX);
  return given<VisitorSearch>({
    q: textOf(search.q),
    segment: idOf(search.segment),
    identity: oneOf(search.identity, ['identified', 'anonymous']),
    verified: oneOf(search.verified, YES_NO),
    email: oneOf(search.email, YES_NO),
    blocked: oneOf(search.blocked, YES_NO),
    first: oneOf(search.first, SPANS),
    last: oneOf(search.last, [...SPANS, 'gone']),
    attribute,
    value: attribute === undefined ? undefined : textOf(search.value, ATTRIBUTE_SOUGHT_MAX),
    sort: oneOf(search.sort, ['last_seen', '-created', 'created']),
  });
}

const yes = (value: 'yes' | 'no' | undefined): boolean | undefined =>
  value === undefined ? undefined : value === 'yes';

type VisitorFilter = Omit<InputOf<'visitors.list'>, 'limit' | 'cursor' | 'sort'>;

/** The filter for the server. */
export function filterOf(search: VisitorSearch, nowMs: number): VisitorFilter {
  const { q, segment, identity, first, last, attribute, value } = search;
  const within = (span: SeenWithin | undefined) => span && timeBefore(SEEN_WITHIN[span], nowMs);
  return given<VisitorFilter>({
    q,
    segment,
    identity,
    verified: yes(search.verified),
    has_email: yes(search.email),
    blocked: yes(search.blocked),
    first_seen_since: within(first),
    last_seen_since: last === 'gone' ? undefined : within(last),
    last_seen_until: last === 'gone' ? within('30d') : undefined,
    attribute: attribute === undefined ? undefined : { name: attribute, ...(value ? { value } : {}) },
  });
}

/** The active filters; a value belongs to its attribute. */
export const filtersIn = ({ q: _, sort: __, value: ___, ...filters }: VisitorSearch): FilterName[] =>
  Object.keys(filters) as FilterName[];

/** A search with one filter removed. */
export function withoutFilter(search: VisitorSearch, name: FilterName): VisitorSearch {
  const { [name]: _, ...rest } = search;
  return readVisitorSearch({ ...rest });
}

/** A search with only its words and order. */
export const withoutFilters = ({ q, sort }: VisitorSearch): VisitorSearch =>
  given<VisitorSearch>({ q, sort });
