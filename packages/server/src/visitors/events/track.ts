import type { EventProperties, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { invalidInput } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { runExclusive } from '../../core/keyed-mutex.ts';
import { ofOpenChat, recordForRules } from '../../core/rules/rule-events.ts';
import { prepared } from '../../db/prepared.ts';
import { trustInCaller } from '../identity/caller-trust.ts';
import { bringIn, joinTouched, settled, type Told } from '../identity/upsert.ts';
import { scopeOf, VISITOR_COLUMNS, type VisitorRow, type VisitorScope } from '../rows.ts';
import { knownRules, readRules, type SiteRules } from '../segments/cache.ts';
import { appendAndJudge, appendAtOnce, appendIfSettled, type Happening } from './track-statements.ts';

/** Clocks differ and time zones get mixed up. More than a day ahead is a mistake. */
const FUTURE_MAX_MS = 86_400_000;

/**
 * Appends events to a visitor whose row the caller has locked, in one statement. Events with a known client id are
 * skipped. Call `settled` afterwards.
 */
export async function appendEvents(
  { db, siteId, now }: VisitorScope,
  told: Told,
  happenings: readonly Happening[],
): Promise<Told & { eventIds: number[] }> {
  if (happenings.length === 0) return { ...told, eventIds: [] };
  const rows = await db
    .insertInto('visitor_events')
    .values(
      happenings.map(({ name, properties, occurredAt, clientId }) => ({
        site_id: siteId,
        visitor_id: told.visitor.id,
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
    .returning(['id', 'name'])
    .execute();
  const events = new Set(rows.map(({ name }) => name));
  const forRules = recordForRules(
    { siteId, now, cause: undefined },
    ofOpenChat(siteId, sql`${told.visitor.id}::bigint`, {
      ...{ event: 'event_tracked', details: sql`jsonb_build_object('name', tracked.name)` },
      also: sql`unnest(${[...events]}::text[]) as tracked (name),`,
    }),
  );
  const { rows: visitors } = await sql<VisitorRow>`
    with for_rules as (${forRules})
    update visitors set event_count = event_count + ${rows.length}, last_seen_at = greatest(last_seen_at, ${now})
    where site_id = ${siteId} and id = ${told.visitor.id} returning *`.execute(db);
  return {
    visitor: visitors[0] ?? told.visitor,
    touched: joinTouched(told.touched, { events, seen: true }),
    eventIds: rows.map(({ id }) => id),
  };
}

/** Locks the visitor with this key, creating it if necessary, and marks it as seen now. */
export async function touchVisitor(scope: VisitorScope, key: string): Promise<Told> {
  const visitor = await findAndTouch(scope, key);
  return visitor ? { visitor, touched: { seen: true } } : bringIn(scope, { key });
}

async function findAndTouch({ db, siteId, now }: VisitorScope, key: string): Promise<VisitorRow | undefined> {
  return db
    .updateTable('visitors')
    .set({ last_seen_at: sql`greatest(last_seen_at, ${now})` })
    .where('site_id', '=', siteId)
    .where('key', '=', key)
    .where('erased_at', 'is', null)
    .returning(VISITOR_COLUMNS)
    .modifyEnd(prepared)
    .executeTakeFirst();
}

/** Appends an event of a visitor who may not exist yet. */
async function appendToAnybody(ctx: SiteContext, key: string, happening: Happening): Promise<number> {
  return ctx.transaction(async (tx) => {
    const scope = scopeOf(tx);
    const told = await appendEvents(scope, await touchVisitor(scope, key), [happening]);
    await settled(scope, told);
    return told.eventIds[0] ?? 0;
  });
}

/** Appends an event of a visitor who probably exists, with as few statements as the site's segments allow. */
async function append(ctx: SiteContext, key: string, happening: Happening): Promise<number> {
  let rules: SiteRules = await knownRules(ctx.db, ctx.site.id);
  for (;;) {
    const concerned = rules.onEvent(happening.name);
    const of = { rules, concerned };
    const { version, eventId } =
      concerned.length === 0
        ? await appendAtOnce(scopeOf(ctx), key, happening, rules.version)
        : ((await appendIfSettled(scopeOf(ctx), key, happening, of)) ??
          (await ctx.transaction((tx) => appendAndJudge(scopeOf(tx), key, happening, of))));
    if (eventId !== null) return eventId;
    if (version === rules.version) return appendToAnybody(ctx, key, happening);
    rules = await readRules(ctx.db, ctx.site.id);
  }
}

/**
 * Records an event; an unknown key creates the visitor. `created_utc` in the result is when the event happened:
 * `occurred_utc`, or now.
 * @throws AppError 400 for a time more than a day ahead, 403 for a browser token without the proof that the site
 * asks for
 */
export async function trackEvent(
  ctx: SiteContext,
  { key, name, properties, occurred_utc, user_hash }: ParsedInputOf<'track.create'>,
): Promise<OutputOf<'track.create'>> {
  await trustInCaller(ctx, key, user_hash);
  const now = ctx.now();
  const occurredAt = occurred_utc === undefined || occurred_utc === null ? now : new Date(occurred_utc);
  if (occurredAt.getTime() > now.getTime() + FUTURE_MAX_MS) {
    throw invalidInput([{ path: 'occurred_utc', message: 'must not be more than a day in the future' }]);
  }
  const happening = { name, properties: properties ?? {}, occurredAt };
  const eventId = await runExclusive(ctx, key, () => append(ctx, key, happening));
  return { event_id: eventId, key, name, created_utc: occurredAt.toISOString() };
}
