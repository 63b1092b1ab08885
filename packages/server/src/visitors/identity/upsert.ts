import { ATTRIBUTE_LIMIT, type Attributes } from '@foyer/protocol';
import { invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { retryOnLockTimeout } from '../../db/transactions/lock-retry.ts';
import { fillAttributes, isOverLimit, mergeAttributes } from '../attributes.ts';
import {
  insertVisitor,
  insertVisitors,
  lockVisitor,
  lockVisitors,
  type NewVisitor,
  scopeOf,
  type VisitorRow,
  type VisitorScope,
} from '../rows.ts';
import type { Touched } from '../segments/cache.ts';
import { settle, settleNew } from '../segments/settle.ts';
import { isAnonymous, type Trust } from './identity-proof.ts';
import { moveVisitor } from './merge.ts';

/** New values for a visitor: absent leaves a field unchanged, null clears it. */
export interface Telling {
  key: string;
  previousKey?: string | undefined;
  email?: string | null | undefined;
  name?: string | null | undefined;
  attributes?: Attributes;
  /** Default: `told`. */
  trust?: Trust;
  /** The key was just generated, so no visitor has it. */
  isNewKey?: true;
  /** False: not reported by the visitor's own browser, so it doesn't count as activity. */
  isSeen?: false;
}

interface Claim {
  row: VisitorRow;
  made: boolean;
  previous?: VisitorRow | undefined;
}

/**
 * Too many attributes are an error for callers who may know the number. A page gets no error, because it may be a
 * stranger's: its new attributes are used up to the limit.
 */
function merged(known: Attributes, patch: Attributes, trust: Trust | undefined): Attributes {
  const attributes = mergeAttributes(known, patch);
  if (!isOverLimit(attributes)) return attributes;
  if (trust !== 'vouched' && !isOverLimit(patch)) {
    const changed = Object.entries(patch).filter(([name]) => name in known);
    return fillAttributes(mergeAttributes(known, Object.fromEntries(changed)), attributes, {});
  }
  throw invalidInput([
    {
      path: 'attributes',
      message: `must have at most ${ATTRIBUTE_LIMIT} attributes, those already set included`,
    },
  ]);
}

const IDENTITY = ['email', 'name'] as const;

/** The fields that are vouched for afterwards: a value counts, and clearing one lets pages change the field again. */
const verifiedFieldsAfter = (known: readonly string[], telling: Telling): string[] =>
  telling.trust === 'vouched'
    ? IDENTITY.filter((field) =>
        telling[field] === undefined ? known.includes(field) : telling[field] !== null,
      )
    : [...known];

const firstOf = (telling: Telling): NewVisitor => ({
  key: telling.key,
  email: telling.email ?? null,
  name: telling.name ?? null,
  attributes: merged({}, telling.attributes ?? {}, telling.trust),
  verified_fields: verifiedFieldsAfter([], telling),
});

/** The visitor of the key, locked, created if necessary. */
async function claim(scope: VisitorScope, telling: Telling): Promise<Claim> {
  for (let isNew = telling.isNewKey === true; ; isNew = false) {
    const row = isNew ? undefined : await lockVisitor(scope, telling.key);
    if (row) return { row, made: false };
    const made = await insertVisitor(scope, firstOf(telling));
    if (made) return { row: made, made: true };
    // Another transaction has created it: it can be locked now, unless it was erased again.
  }
}

/**
 * Both visitors, locked. The insert comes first, while nothing is locked: waiting for another insert while holding a
 * lock could deadlock.
 */
async function claimBoth(scope: VisitorScope, telling: Telling, previousKey: string): Promise<Claim> {
  for (;;) {
    const made = await insertVisitor(scope, firstOf(telling));
    const rows = await lockVisitors(scope, [telling.key, previousKey]);
    const row = rows.find(({ key }) => key === telling.key);
    const previous = rows.find(({ key }) => key === previousKey);
    if (row) return { row, made: made !== undefined, previous };
  }
}

/** The resulting fields: new values over known ones, and missing ones from the anonymous visitor. */
function resulting({ row, made, previous }: Claim, telling: Telling): Omit<NewVisitor, 'key'> {
  const { trust } = telling;
  const believed = made || trust !== 'unproven';
  const patch = believed ? (telling.attributes ?? {}) : {};
  const attributes = merged(row.attributes, patch, trust);
  const filler = believed ? previous : undefined;
  const told = (field: 'email' | 'name'): string | null => {
    const counts = believed && (trust === 'vouched' || !row.verified_fields.includes(field));
    const value = counts ? telling[field] : undefined;
    return value !== undefined ? value : (row[field] ?? filler?.[field] ?? null);
  };
  return {
    email: told('email'),
    name: told('name'),
    verified_fields: verifiedFieldsAfter(row.verified_fields, telling),
    attributes: filler ? fillAttributes(attributes, filler.attributes, patch) : attributes,
  };
}

/** Always later than `created_at` for an existing visitor, so that the record alone shows which visitors are new. */
const updatedAt = ({ row, made }: Claim, now: Date): Date =>
  made ? row.created_at : new Date(Math.max(now.getTime(), row.created_at.getTime() + 1));

async function write(scope: VisitorScope, found: Claim, telling: Telling): Promise<VisitorRow> {
  const { db, siteId, now } = scope;
  const { row, made, previous } = found;
  const { email, name, attributes, verified_fields } = resulting(found, telling);
  if (previous) await moveVisitor(scope, previous, row);
  if (made && !previous) return row;
  return db
    .updateTable('visitors')
    .set({
      email,
      name,
      attributes: JSON.stringify(attributes),
      verified_fields,
      ...(telling.isSeen === false ? {} : { last_seen_at: now }),
      updated_at: updatedAt(found, now),
    })
    .where('site_id', '=', siteId)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/**
 * Whether the visitor became known: it is new and has a key of the site's own, or it has an email address or a name for
 * the first time. One call emits at most one `visitor_identified`; repeating it emits none.
 */
function isIdentified({ row, made }: Claim, after: VisitorRow): boolean {
  if (made) return !isAnonymous(after.key ?? '') || after.email !== null || after.name !== null;
  return (row.email === null && after.email !== null) || (row.name === null && after.name !== null);
}

const identified = ({ key, name, email }: VisitorRow) =>
  ({ event: 'visitor_identified', body: { visitor: { key, name, email } } }) as const;

/** A visitor after a change, and what changed; its segments aren't updated yet. */
export interface Told {
  visitor: VisitorRow;
  touched: Touched;
}

function touchedBy({ row, made, previous }: Claim, after: VisitorRow): Touched {
  if (made || previous) return 'everything';
  const names = new Set([...Object.keys(row.attributes), ...Object.keys(after.attributes)]);
  const differs = (name: string): boolean =>
    JSON.stringify(row.attributes[name] ?? null) !== JSON.stringify(after.attributes[name] ?? null);
  const own = (['email', 'name'] as const).filter((name) => row[name] !== after[name]);
  return { attributes: new Set([...[...names].filter(differs), ...own]), seen: true };
}

/** The union of both, so that segments are judged once for several changes. `everything` wins. */
export function joinTouched(one: Touched, other: Touched): Touched {
  if (one === 'everything' || other === 'everything') return 'everything';
  const joined = (a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()) =>
    new Set([...a, ...b]);
  return {
    attributes: joined(one.attributes, other.attributes),
    events: joined(one.events, other.events),
    seen: one.seen === true || other.seen === true,
  };
}

/** Updates the visitor's segments, once for everything that changed. */
export async function settled(scope: VisitorScope, { visitor, touched }: Told): Promise<VisitorRow> {
  return { ...visitor, segment_ids: await settle(scope, visitor, touched) };
}

/**
 * Merges the new values into the key's visitor, merges the anonymous visitor of `previousKey` into it, and emits the
 * change. Call `settled` afterwards. `scope.db` must be a transaction.
 * @throws AppError 400 for too many attributes, or a `previousKey` that is not anonymous.
 */
export async function bringIn(scope: VisitorScope, telling: Telling): Promise<Told> {
  const { previousKey } = telling;
  if (previousKey !== undefined && !isAnonymous(previousKey)) {
    throw invalidInput([
      { path: 'previous_key', message: 'must be the key of an anonymous visitor (anon_…)' },
    ]);
  }
  const merges = previousKey !== undefined && previousKey !== telling.key;
  const tell = async (found: Claim) => ({ found, after: await write(scope, found, telling) });
  const { found, after } = merges
    ? await retryOnLockTimeout(scope.db, async () => tell(await claimBoth(scope, telling, previousKey)))
    : await tell(await claim(scope, telling));
  const changed = [after.id, ...(found.previous ? [found.previous.id] : [])];
  await scope.emit({ notices: changed.map((visitorId) => ({ kind: 'visitor', visitorId })) });
  if (isIdentified(found, after)) await scope.emit({ webhook: identified(after) });
  return { visitor: after, touched: touchedBy(found, after) };
}

/** `bringIn`, then `settled`. */
export const tellVisitor = async (scope: VisitorScope, telling: Telling): Promise<VisitorRow> =>
  settled(scope, await bringIn(scope, telling));

/** Creates visitors of keys that were just generated, as `tellVisitor` does one by one. @returns them by their keys */
export async function addVisitors(
  tx: SiteContext,
  tellings: readonly Telling[],
): Promise<Map<string, VisitorRow>> {
  if (tellings.length === 0) return new Map();
  const scope = scopeOf(tx);
  const rows = await insertVisitors(scope, tellings.map(firstOf));
  const byKey = new Map(rows.map((row) => [row.key ?? '', row]));
  await tx.emitAll(
    tellings.flatMap(({ key }) => {
      const row = byKey.get(key);
      if (!row) return [];
      const notices = [{ kind: 'visitor', visitorId: row.id } as const];
      return isIdentified({ row, made: true }, row) ? { notices, webhook: identified(row) } : { notices };
    }),
  );
  await settleNew(scope, rows);
  return byKey;
}
