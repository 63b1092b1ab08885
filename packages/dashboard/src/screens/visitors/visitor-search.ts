import type { InputOf, VisitorSort } from '@foyer/protocol';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** How far back, as the address says it. */
export const SEEN_WITHIN = { '24h': 24 * HOUR_MS, '7d': 168 * HOUR_MS, '30d': 720 * HOUR_MS } as const;
export type SeenWithin = keyof typeof SEEN_WITHIN;

/** What the address of the list says. */
export interface VisitorSearch {
  q?: string;
  segment?: number;
  identity?: 'identified' | 'anonymous';
  verified?: 'yes' | 'no';
  email?: 'yes' | 'no';
  blocked?: 'yes' | 'no';
  first?: SeenWithin;
  /** `gone`: not for 30 days. */
  last?: SeenWithin | 'gone';
  attribute?: string;
  value?: string;
  sort?: Exclude<VisitorSort, '-last_seen'>;
}

export type FilterName = Exclude<keyof VisitorSearch, 'q' | 'sort'>;

const YES_NO = { yes: true, no: true } as const;
const IDENTITIES = { identified: true, anonymous: true } as const;
const SORTS = { last_seen: true, '-created': true, created: true } as const;

const oneOf = <T extends string>(value: unknown, allowed: Readonly<Record<T, unknown>>): T | undefined =>
  typeof value === 'string' && Object.hasOwn(allowed, value) ? (value as T) : undefined;
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value) || undefined
    : undefined;
const idOf = (value: unknown): number | undefined => {
  const id = Number(value);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
};

/** Without what is not there: an address says nothing of it. */
export const given = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** Reads the address; what makes no sense in it counts as not there. */
export function readVisitorSearch(search: Record<string, unknown>): VisitorSearch {
  const attribute = textOf(search.attribute);
  return given<VisitorSearch>({
    q: textOf(search.q),
    segment: idOf(search.segment),
    identity: oneOf(search.identity, IDENTITIES),
    verified: oneOf(search.verified, YES_NO),
    email: oneOf(search.email, YES_NO),
    blocked: oneOf(search.blocked, YES_NO),
    first: oneOf(search.first, SEEN_WITHIN),
    last: oneOf(search.last, { ...SEEN_WITHIN, gone: true }),
    attribute,
    value: attribute === undefined ? undefined : textOf(search.value),
    sort: oneOf(search.sort, SORTS),
  });
}

/** To the minute, so that a list that is looked at again is the same list. */
const timeBefore = (ms: number, nowMs: number): string =>
  new Date(Math.floor((nowMs - ms) / MINUTE_MS) * MINUTE_MS).toISOString();

const yes = (value: 'yes' | 'no' | undefined): boolean | undefined =>
  value === undefined ? undefined : value === 'yes';

export type VisitorFilter = Omit<InputOf<'visitors.list'>, 'limit' | 'cursor' | 'sort'>;

/** What the server is asked for by this address. */
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

/** The filters of an address, one after the other; a value belongs to its attribute. */
export const filtersIn = ({ q: _, sort: __, value: ___, ...filters }: VisitorSearch): FilterName[] =>
  Object.keys(filters) as FilterName[];

export function withoutFilter(search: VisitorSearch, name: FilterName): VisitorSearch {
  const { [name]: _, ...rest } = search;
  return readVisitorSearch({ ...rest });
}

export const withoutFilters = ({ q, sort }: VisitorSearch): VisitorSearch =>
  given<VisitorSearch>({ q, sort });
