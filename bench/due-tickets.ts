/**
 * Time-based work on one site with a million tickets: SLAs and rules for idle and waiting tickets. Ninety are due for
 * each; the statements run as in the product, then again with their plans. Exits with 1 if one reads all tickets, or
 * many more than are due.
 * Usage: node bench/due-tickets.ts [TICKETS]
 */
import { sql } from 'kysely';
import pg from 'pg';
import { type Db, openDatabase } from '../packages/server/src/db/database.ts';
import { startEmbeddedPostgres } from '../packages/server/src/db/embedded/embedded.ts';
import { migrateAt } from '../packages/server/src/db/migrate.ts';
import { ruleLooks } from '../packages/server/src/rules/engine/looks.ts';
import { createSite } from '../packages/server/src/sites/sites.ts';
import { ticketSlaClock } from '../packages/server/src/tickets/sla/clock.ts';
import { findDue } from '../packages/server/test/find-due.ts';
import { faultsOf, mostRead, noteStatements, type PlanNode } from '../packages/server/test/plan-reading.ts';
import { contextOf } from './context.ts';
import { temporaryFolder } from './foyer.ts';

const TICKETS = Number(process.argv[2] ?? 1_000_000);
/** Fewer than a batch, so that each job queries once. */
const DUE = 90;
/** The due rows, and as many again to find their position in each status. */
const READ = 8 * DUE;
const RULES = ['ticket_idle', 'ticket_waiting'];

/**
 * Every tenth is open; half of these have waited for long, the other half won't be due within the hour, however long
 * this takes.
 */
async function fill(db: Db, siteId: number): Promise<void> {
  const moment = sql`now() - case when n % 20 = 0 then interval '1 day' + n * interval '1 second'
    else (n % 3000 - 3000) * interval '1 second' end`;
  await db.connection().execute(async (one) => {
    await sql`insert into visitors (site_id, id, key) values (${siteId}, 1, 'customer')`.execute(one);
    await sql`set session_replication_role = replica`.execute(one);
    await sql`
      insert into tickets (site_id, subject, description, status, requester_id, solved_at, created_at, updated_at,
        last_activity_at, unanswered_since, sla_event_at)
      select ${siteId}, 'Where is it?', 'My parcel has not come.',
        case when n % 10 > 0 then 'closed' when n % 30 = 0 then 'new' else 'open' end, 1,
        case when n % 10 > 0 then ${moment} end, ${moment}, ${moment}, ${moment}, ${moment},
        case when n % 10 = 0 then now() + interval '1 day' + n * interval '1 second' end
      from generate_series(1, ${TICKETS}) n`.execute(one);
    await sql`set session_replication_role = default`.execute(one);
  });
  for (const on of RULES)
    await sql`
      insert into rules (site_id, name, position, trigger, events, actions, enabled_at)
      values (${siteId}, ${on}, 0, ${JSON.stringify({ on, minutes: 60 })}, ${[on]},
        ${JSON.stringify([{ type: 'add_tags', tags: ['late'] }])}, now())`.execute(db);
  await sql`vacuum (analyze)`.execute(db);
}

/** Ninety open tickets have waited for an hour in this minute, and their SLAs are due. */
async function makeDue(db: Db, siteId: number): Promise<void> {
  const hourAgo = sql`now() - interval '60 minutes 30 seconds'`;
  await sql`
    update tickets set last_activity_at = ${hourAgo}, unanswered_since = ${hourAgo},
      sla_event_at = now() - interval '1 second'
    where site_id = ${siteId} and id in (
      select id from tickets where site_id = ${siteId} and status = 'open' order by id limit ${DUE})`.execute(
    db,
  );
  await sql`
    update rules set looked_at = now() - interval '1 minute', look_at = now() where site_id = ${siteId}`.execute(
    db,
  );
}

const folder = await temporaryFolder();
const postgres = await startEmbeddedPostgres({ dataDir: folder.dir, log: () => undefined });
try {
  await migrateAt(postgres.url);
  const database = openDatabase(postgres.url, { patient: true, max: 1 });
  const { db } = database;
  const sent = noteStatements(database.pool);
  const reader = new pg.Client({ connectionString: postgres.url });
  await reader.connect();
  const { id: siteId } = await createSite(db, { name: 'Shop', plan: 'growth' });
  await fill(db, siteId);
  const ctx = contextOf(db, siteId, { kind: 'job' });
  const everything = await sql<{
    name: string;
  }>`select relname as name from pg_class where relname <> 'tickets'`
    .execute(db)
    .then(({ rows }) => new Set(rows.map(({ name }) => name)));

  for (const job of [ticketSlaClock, ruleLooks]) {
    await makeDue(db, siteId);
    sent.length = 0;
    const items = await findDue(job, db, new Date(), 100);
    for (const { id } of items) await job.run(ctx, id);
    const own = new Map(sent.filter(({ text }) => /\btickets\b/.test(text)).map((one) => [one.text, one]));
    await makeDue(db, siteId);
    for (const { text, values } of own.values()) {
      await reader.query('begin');
      const { rows } = await reader.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, timing off, format json) ${text}`,
        values,
      );
      await reader.query('rollback');
      const plans = (rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan }) => Plan);
      const faults = plans.flatMap((plan) => faultsOf(plan, { small: everything, sorted: READ, read: READ }));
      const most = Math.max(...plans.map((plan) => mostRead(plan, everything)));
      const words = text.replace(/\s+/g, ' ').trim().slice(0, 100);
      console.log(`${job.name}: ${most} of ${TICKETS} tickets read ${faults.join(', ')}\n  ${words}`);
      if (faults.length > 0) process.exitCode = 1;
    }
    if (items.length === 0 || own.size === 0) throw new Error(`${job.name} found nothing due`);
  }
  await reader.end();
  await database.close();
} finally {
  await postgres.stop();
  await folder.remove();
}
