import type { EventProperties, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { invalidInput } from '../errors.ts';
import { scopeOf, type VisitorRow, type VisitorScope } from './rows.ts';
import { tellVisitor } from './upsert.ts';

/** Clocks differ and time zones are got wrong; more than a day ahead is a mistake. */
const FUTURE_MAX_MS = 86_400_000;

export interface Happening {
  name: string;
  properties?: Record<string, unknown> | undefined;
  occurredAt: Date;
  /** Made by the sender: the same once more is not stored again. */
  clientId?: string;
}

/**
 * Appends events to a visitor whose row the caller has locked, in one statement.
 * @returns the ids of those that were new.
 */
export async function appendEvents(
  { db, siteId, now }: VisitorScope,
  visitor: VisitorRow,
  happenings: readonly Happening[],
): Promise<number[]> {
  if (happenings.length === 0) return [];
  const rows = await db
    .insertInto('visitor_events')
    .values(
      happenings.map(({ name, properties, occurredAt, clientId }) => ({
        site_id: siteId,
        visitor_id: visitor.id,
        name,
        properties: JSON.stringify((properties ?? {}) satisfies Record<string, unknown> as EventProperties),
        client_id: clientId ?? null,
        occurred_at: occurredAt,
        created_at: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'visitor_id', 'client_id']).where('client_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .execute();
  await db
    .updateTable('visitors')
    .set({
      event_count: sql`event_count + ${rows.length}`,
      last_seen_at: sql`greatest(last_seen_at, ${now})`,
    })
    .where('site_id', '=', siteId)
    .where('id', '=', visitor.id)
    .execute();
  return rows.map(({ id }) => id);
}

/** The visitor of a key, locked, made if there is none; one that is there stays as it is. */
export async function visitorOfKey(scope: VisitorScope, key: string): Promise<VisitorRow> {
  return (await touchVisitor(scope, key)) ?? tellVisitor(scope, { key });
}

/** Notes that a visitor was seen, and locks the row. */
async function touchVisitor({ db, siteId, now }: VisitorScope, key: string): Promise<VisitorRow | undefined> {
  return db
    .updateTable('visitors')
    .set({ last_seen_at: sql`greatest(last_seen_at, ${now})` })
    .where('site_id', '=', siteId)
    .where('key', '=', key)
    .where('erased_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/**
 * Records an event of a visitor; an unknown key makes the visitor (decisions 3, `track`). `created_utc` of the answer
 * is when it happened: `occurred_utc`, or now.
 * @throws AppError 400 for a time more than a day ahead.
 */
export async function trackEvent(
  ctx: SiteContext,
  { key, name, properties, occurred_utc }: ParsedInputOf<'track.create'>,
): Promise<OutputOf<'track.create'>> {
  const now = ctx.now();
  const occurredAt = occurred_utc === undefined || occurred_utc === null ? now : new Date(occurred_utc);
  if (occurredAt.getTime() > now.getTime() + FUTURE_MAX_MS) {
    throw invalidInput([{ path: 'occurred_utc', message: 'must not be more than a day in the future' }]);
  }
  return ctx.transaction(async (tx) => {
    const scope = scopeOf(tx);
    const visitor = await visitorOfKey(scope, key);
    const [id = 0] = await appendEvents(scope, visitor, [{ name, properties: properties ?? {}, occurredAt }]);
    return { event_id: id, key, name, created_utc: occurredAt.toISOString() };
  });
}
