import { setTimeout as delay } from 'node:timers/promises';
import { RETENTION_KINDS, type RetentionKind } from '@foyer/protocol';
import { DAY_MS, HOUR_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import type { RetentionPolicy } from '../core/retention-policy.ts';
import type { Db } from '../db/database.ts';
import { retryOnLockTimeout } from '../db/transactions/lock-retry.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { choices, retentionPolicies } from './policies.ts';

/** Pause between the end of a run and the next, where something may be due by then. */
const RUN_EVERY_MS = HOUR_MS;
/** The pause if nothing will be too old before: a site without activity costs two runs a day at most. */
const QUIET_MS = DAY_MS;
/** How often sites are checked for kinds without a run. New sites are noticed with the next check. */
const PLAN_EVERY_MS = HOUR_MS;
const LOOK_EVERY_MS = 15_000;
/** After this many batches, the other kinds and sites get their turn. */
const BATCHES_A_TURN = 40;
/** Pause between batches, so that other transactions get their locks. */
const PAUSE_MS = 20;

/** The time before which records are deleted. A day is 24 hours, whatever the site's time zone. */
export const oldBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

/** Up to which site every kind has a run, and when all sites were checked. In memory, per connection pool. */
const planned = new WeakMap<Db, { throughId: number; at: number }>();

/**
 * Plans the first run of each kind that new sites keep for a time. Ids don't commit in order, so all sites are checked
 * from time to time.
 */
async function planRuns(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ newest: number; planned: number }>`
    select coalesce((select max(id) from sites), 0) as newest,
      coalesce((select max(site_id) from retention_runs), 0) as planned`.execute(db);
  const [ids] = rows;
  if (!ids) return;
  const last = planned.get(db) ?? { throughId: ids.planned, at: performance.now() };
  const isTime = performance.now() - last.at >= PLAN_EVERY_MS;
  const throughId = isTime ? 0 : last.throughId;
  if (throughId < ids.newest)
    await sql`
      insert into retention_runs (site_id, kind, due_at)
      select s.id, choice.kind, ${now} from sites s cross join lateral ${choices}
      where s.id > ${throughId} and choice.days is not null
      on conflict do nothing`.execute(db);
  planned.set(db, { throughId: ids.newest, at: isTime ? performance.now() : last.at });
}

const dueKinds: RecurringJob['due'] = ({ now, limit }) => sql`
  select n.site_id as "siteId", choice.place as id from retention_runs n
  join sites s on s.id = n.site_id cross join lateral ${choices}
  where n.due_at <= ${now} and choice.kind = n.kind and choice.days is not null
  order by n.due_at limit ${limit}`;

interface Run {
  days: number;
  through_id: number;
}

/** Locks the due run of a kind, or begins one; undefined while another process has it, and if none is due. */
async function takeRun(ctx: SiteContext, kind: RetentionKind): Promise<Run | undefined> {
  const { db, site } = ctx;
  const now = ctx.now();
  await sql`
    insert into retention_runs (site_id, kind, due_at) values (${site.id}, ${kind}, ${now})
    on conflict do nothing`.execute(db);
  const { rows } = await sql<Run>`
    with run as materialized (
      select site_id, kind from retention_runs
      where site_id = ${site.id} and kind = ${kind} and due_at <= ${now} for update skip locked
    )
    update retention_runs n set began_at = coalesce(n.began_at, ${now})
    from run join sites s on s.id = run.site_id cross join lateral ${choices}
    where n.site_id = run.site_id and n.kind = run.kind and choice.kind = run.kind and choice.days is not null
    returning choice.days, n.through_id`.execute(db);
  return rows[0];
}

interface Batch {
  /** Ids of the run's kind. */
  ids: never[];
  /** Where the scan continues; 0 when it has ended. */
  throughId: number;
  isLast: boolean;
}

async function scan(
  tx: SiteContext,
  { old, batch }: RetentionPolicy<never>,
  table: string,
  before: Date,
  after: number,
): Promise<Batch> {
  const { rows: looked } = await sql<{ id: number }>`
    select id from ${sql.table(table)} where site_id = ${tx.site.id} and id > ${after}
    order by id limit ${batch}`.execute(tx.db);
  const throughId = looked.at(-1)?.id ?? 0;
  const { rows } = await sql<{ id: never }>`
    select r.id from ${old(tx, before)} and r.id > ${after} and r.id <= ${throughId}
    for update of r skip locked`.execute(tx.db);
  const isLast = looked.length < batch;
  return { ids: rows.map(({ id }) => id), throughId: isLast ? 0 : throughId, isLast };
}

async function pick(tx: SiteContext, { old, batch }: RetentionPolicy<never>, before: Date): Promise<Batch> {
  const { rows } = await sql<{ id: never }>`
    select r.id from ${old(tx, before)} limit ${batch} for update of r skip locked`.execute(tx.db);
  return { ids: rows.map(({ id }) => id), throughId: 0, isLast: rows.length < batch };
}

/**
 * When the next run is due after one that has ended: spread over half a day, so that sites that were created together
 * don't stay together.
 */
async function nextRun(tx: SiteContext, kind: RetentionKind, days: number, deleted: number): Promise<Date> {
  const now = tx.now();
  const { old, scanById }: RetentionPolicy<never> = retentionPolicies[kind];
  const inAnHour = new Date(now.getTime() + RUN_EVERY_MS);
  if (deleted > 0) return inAnHour;
  if (scanById === undefined) {
    const soon = oldBefore(new Date(now.getTime() + QUIET_MS), days);
    const { rows } = await sql`select from ${old(tx, soon)} limit 1`.execute(tx.db);
    if (rows.length > 0) return inAnHour;
  }
  return new Date(now.getTime() + (QUIET_MS * (1 + Math.random())) / 2);
}

/**
 * Deletes the next batch of a kind and counts it in the same transaction: if a process dies, the figure is right and
 * the next process continues from there.
 * @returns whether there may be more.
 */
function purgeBatch(ctx: SiteContext, kind: RetentionKind): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const run = await takeRun(tx, kind);
    if (!run) return false;
    const now = tx.now();
    const before = oldBefore(now, run.days);
    const { ids, throughId, isLast } = await retryOnLockTimeout(tx.db, async () => {
      const policy: RetentionPolicy<never> = retentionPolicies[kind];
      const batch =
        policy.scanById === undefined
          ? await pick(tx, policy, before)
          : await scan(tx, policy, policy.scanById, before, run.through_id);
      if (batch.ids.length > 0) await policy.purge(tx, batch.ids, before);
      return batch;
    });
    const dueAt = isLast ? await nextRun(tx, kind, run.days, ids.length) : now;
    await sql`
      update retention_runs set
        deleted = case when ${ids.length}::integer = 0 then deleted
          when deleted_at >= began_at then deleted + ${ids.length}::integer else ${ids.length}::integer end,
        deleted_at = case when ${ids.length}::integer = 0 then deleted_at else ${now}::timestamptz end,
        through_id = ${throughId},
        began_at = case when ${isLast} then null else began_at end,
        ended_at = case when ${isLast} then ${now}::timestamptz else ended_at end,
        due_at = ${dueAt}
      where site_id = ${tx.site.id} and kind = ${kind}`.execute(tx.db);
    return !isLast;
  });
}

/** Runs some batches; the rest waits for the next turn. */
export async function purgeExpired(ctx: SiteContext, kind: RetentionKind): Promise<void> {
  for (let batch = 0; batch < BATCHES_A_TURN; batch += 1) {
    if (!(await purgeBatch(ctx, kind))) return;
    await delay(PAUSE_MS);
  }
}

export const retentionClock: RecurringJob = {
  name: 'retention.run',
  everyMs: LOOK_EVERY_MS,
  prepare: planRuns,
  due: dueKinds,
  async run(ctx, place) {
    const kind = RETENTION_KINDS[place];
    if (kind) await purgeExpired(ctx, kind);
  },
};
