import {
  type OutputOf,
  type ParsedInputOf,
  RETENTION_KINDS,
  type RetentionEstimate,
  type RetentionKind,
  type RetentionState,
} from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { choices, daysColumn, retentionPolicies } from './policies.ts';
import { oldBefore } from './runs.ts';

/** Counting stops here. */
const COUNTED_MAX = 10_000;
/** When the next run of a kind that is kept forever is due, so that no look finds it. */
const NEVER = new Date('9999-12-31T00:00:00Z');
/** Kinds without an index by age: how many of the oldest rows are read. */
const LOOKED_AT_MAX = 50_000;

/** How many records of a kind would be deleted now if it were kept for this many days. */
export async function countOlder(
  ctx: SiteContext,
  kind: RetentionKind,
  days: number,
): Promise<RetentionEstimate> {
  const { old, scanById } = retentionPolicies[kind];
  const { db, site } = ctx;
  const end =
    scanById === undefined
      ? undefined
      : (
          await sql<{ id: number }>`
            select id from ${sql.table(scanById)} where site_id = ${site.id} order by id
            offset ${LOOKED_AT_MAX} limit 1`.execute(db)
        ).rows[0];
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from ${old(ctx, oldBefore(ctx.now(), days))} ${end ? sql`and r.id < ${end.id}` : sql``}
      limit ${COUNTED_MAX + 1}
    ) as older`.execute(db);
  const count = rows[0]?.count ?? 0;
  return { count: Math.min(count, COUNTED_MAX), at_least: count > COUNTED_MAX || end !== undefined };
}

interface StateRow {
  kind: RetentionKind;
  days: number | null;
  due_at: Date | null;
  began_at: Date | null;
  ended_at: Date | null;
  deleted: number | null;
  deleted_at: Date | null;
}

async function presentState(ctx: SiteContext, row: StateRow): Promise<RetentionState> {
  const { kind, days } = row;
  return {
    kind,
    keep_days: days,
    due: days === null ? null : await countOlder(ctx, kind, days),
    next_run_utc: days === null ? null : (row.due_at ?? ctx.now()).toISOString(),
    running: days !== null && row.began_at !== null,
    last_run_utc: row.ended_at?.toISOString() ?? null,
    deleted: row.deleted ?? 0,
    deleted_utc: row.deleted_at?.toISOString() ?? null,
  };
}

/** In the order of RETENTION_KINDS. `due` counts what the next run would delete, up to a limit. */
export async function getRetention(ctx: SiteContext): Promise<OutputOf<'retention.get'>> {
  const { rows } = await sql<StateRow>`
    select choice.kind, choice.days, n.due_at, n.began_at, n.ended_at, n.deleted, n.deleted_at
    from sites s cross join lateral ${choices}
    left join retention_runs n on n.site_id = s.id and n.kind = choice.kind
    where s.id = ${ctx.site.id} order by choice.place`.execute(ctx.db);
  const kinds: RetentionState[] = [];
  // One by one: these figures aren't urgent, and each needs a connection of the pool.
  for (const row of rows) kinds.push(await presentState(ctx, row));
  return { kinds };
}

/** Changes how long a kind is kept. A run that deletes records that are now too old is due at once. */
export function setRetention(
  ctx: SiteContext,
  { kind, keep_days: days }: ParsedInputOf<'retention.set'>,
): Promise<RetentionState> {
  return ctx.transaction(async (tx) => {
    await sql`
      update sites set ${sql.ref(daysColumn(kind))} = ${days}::integer where id = ${tx.site.id}`.execute(
      tx.db,
    );
    await sql`
      insert into retention_runs as n (site_id, kind, due_at) values (${tx.site.id}, ${kind}, ${days === null ? NEVER : tx.now()})
      on conflict (site_id, kind) do update set due_at = excluded.due_at, began_at = null, through_id = 0`.execute(
      tx.db,
    );
    const { kinds } = await getRetention(tx);
    const state = kinds[RETENTION_KINDS.indexOf(kind)];
    if (!state) throw new Error(`no state of ${kind}`);
    return state;
  });
}
