import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { isRead } from '../email/routes/imap/fleet.ts';
import type { Backlog } from '../http/metrics/metrics.ts';
import { JOBS_SCHEMA } from '../jobs/queue.ts';

/** Counting stops here: more than this needs a person anyway. */
const COUNT_MAX = 10_000;
/** Several scrapers, or one that scrapes every second, cost one query. */
const KEPT_MS = 5_000;
/** A scrape doesn't wait for a hanging database, because it can still report the process's own figures. */
const READ_TIMEOUT_MS = 2_000;

interface BacklogOptions {
  database: Database;
  log: Logger;
  now(): Date;
}

/** Reads the backlog at most once in five seconds. @returns undefined if the database doesn't answer within two */
export function createBacklogReader({ database, log, now }: BacklogOptions) {
  let last: { at: number; backlog: Promise<Backlog | undefined> } | undefined;
  return (): Promise<Backlog | undefined> => {
    const at = now().getTime();
    if (!last || at - last.at >= KEPT_MS) {
      const backlog = Promise.race([readBacklog(database, now()), timeout()]).catch((error) => {
        log.warn({ err: error }, 'metrics: what waits could not be counted');
        return undefined;
      });
      last = { at, backlog };
    }
    return last.backlog;
  };
}

const timeout = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('timeout')), READ_TIMEOUT_MS).unref();
  });

/** Work that becomes due at a time stored in its row, each kind with an index by that time. */
const DUE = {
  pushes: sql`select min(push_due_at) from notifications where push_due_at is not null`,
  digests: sql`select min(mail_due_at) from notifications where mail_due_at is not null`,
  snoozed_tickets: sql`select min(snoozed_until) from tickets where snoozed_until is not null`,
  snoozed_chats: sql`select min(snoozed_until) from conversations where snoozed_until is not null`,
  segments: sql`select min(segments_due_at) from visitors where segments_due_at is not null`,
  security_events: sql`select min(created_at) from security_outbox`,
  mails: sql`select min(received_at) from received_mails where state = 'waiting'`,
  web_sources: sql`select min(next_read_at) from knowledge_sources where next_read_at is not null`,
  // There is no index by the time alone, so only some rows are read. If more wait, the count shows it.
  webhooks: sql`select min(next_attempt_at) from (
    select next_attempt_at from webhook_queue limit ${COUNT_MAX}) q`,
} satisfies Record<string, RawBuilder<unknown>>;

const dueTimes = sql.join(Object.entries(DUE).map(([work, since]) => sql`${work}::text, (${since})`));

/** The time since then, in seconds; 0 for none and for the future. */
const secondsSince = (time: RawBuilder<unknown>, now: Date): RawBuilder<number> =>
  sql`greatest(0, coalesce(extract(epoch from ${now}::timestamptz - ${time}), 0))::float8`;

const jobCounts = (now: Date): RawBuilder<unknown> => sql`
  select coalesce(json_agg(json_build_object('name', q.name, 'queued', q.queued_count, 'active', q.active_count,
    'failed', q.failed_count, 'overdueS', ${secondsSince(sql`next.start_after`, now)})), '[]')
  from ${sql.table(`${JOBS_SCHEMA}.queue`)} q left join lateral (
    select j.start_after from ${sql.table(`${JOBS_SCHEMA}.job`)} j
    where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= ${now}
    order by j.priority desc, j.created_on limit 1
  ) next on true`;

const mailboxCounts = sql`
  select json_build_object(
    'paused', count(*) filter (where not is_enabled),
    'failing', count(*) filter (where is_enabled and failing_since is not null),
    'connecting', count(*) filter (where is_enabled and failing_since is null and checked_at is null),
    'reading', count(*) filter (where is_enabled and failing_since is null and checked_at is not null))
  from mailboxes`;

/** Of all sites, for the operator. Each part reads one small index, up to the limit. */
async function readBacklog({ db }: Database, now: Date): Promise<Backlog> {
  const count = (from: RawBuilder<unknown>) =>
    sql`(select count(*)::int from (select ${from} limit ${COUNT_MAX}) counted)`;
  const { rows } = await sql<Omit<Backlog, 'overdueS'> & { due: Record<string, string | null> }>`
    select
      ${count(sql`from conversations
        where status = 'waiting' and snoozed_until is null and spam_at is null`)} as "chatsWaiting",
      (select ${secondsSince(sql`min(waiting_since)`, now)} from (select waiting_since from conversations
        where status = 'waiting' and snoozed_until is null and spam_at is null limit ${COUNT_MAX}) c) as "longestWaitS",
      ${count(sql`from received_mails where state = 'waiting'`)} as "mailsWaiting",
      (${mailboxCounts}) as mailboxes,
      (select ${secondsSince(sql`min(greatest(checked_at, updated_at))`, now)} from mailboxes m
        where ${isRead}) as "mailboxUncheckedS",
      ${count(sql`from webhook_queue`)} as "deliveriesPending",
      ${count(sql`from webhook_deliveries where dead_at is not null`)} as "deliveriesDead",
      ${count(sql`from report_dirty_records`)} as "reportMarks",
      (select ${secondsSince(sql`min(created_at)`, now)} from (select created_at from messages
        where id > (select max(message_id) from message_search_progress) order by id limit 1) m) as "searchLagS",
      ${count(sql`from message_search_progress where chats_below is not null`)}
        + ${count(sql`from report_sites where chats_below is not null or tickets_below is not null`)} as "backFilling",
      pg_notification_queue_usage() as "notifyQueue",
      (select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver)
        as "archivingFails",
      json_build_object(${dueTimes}) as due,
      (${jobCounts(now)}) as jobs`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the backlog has no row');
  const { due, ...backlog } = row;
  const overdueS = Object.fromEntries(
    Object.entries(due).map(([work, since]) => [
      work,
      since === null ? 0 : Math.max(0, (now.getTime() - Date.parse(since)) / 1_000),
    ]),
  );
  return { ...backlog, overdueS };
}
