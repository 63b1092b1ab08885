import type { WebhookEvent } from '@foyer/protocol';
import { HOUR_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { waitForOlderTransactions } from '../../db/transactions/older-transactions.ts';

/** How long events are recorded after the last stream of a site has ended: until then, one can resume. */
export const STREAM_WINDOW_MS = HOUR_MS;

/**
 * A stream's position: the transaction of its last event, and the event's place there. Transactions aren't committed in
 * the order of their numbers, so only events below every open one are read: nothing can be added before them.
 */
export interface StreamPlace {
  xid: number;
  n: number;
}

/** A position as the id of an event. */
export const placeId = ({ xid, n }: StreamPlace): string => `${xid}.${n}`;

/** @returns undefined for anything else than such an id */
export function placeOf(id: string): StreamPlace | undefined {
  const found = /^(\d{1,15})\.(\d{1,15})$/.exec(id);
  return found ? { xid: Number(found[1]), n: Number(found[2]) } : undefined;
}

/** Keeps the events of a site recorded. @returns whether this call has started the recording */
export async function keepRecording(db: Db, siteId: number, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + STREAM_WINDOW_MS);
  const { rows } = await sql<{ begun: boolean }>`
    insert into stream_recordings as r (site_id, kept_until, since_xid)
    values (${siteId}, ${until}, pg_current_xact_id()::text::bigint)
    on conflict (site_id) do update set kept_until = excluded.kept_until,
      since_xid = case when r.kept_until < ${now} then excluded.since_xid else r.since_xid end
    returning since_xid = pg_current_xact_id()::text::bigint as begun`.execute(db);
  const begun = rows[0]?.begun ?? false;
  // Transactions that write now may not know yet that they must record.
  if (begun) await waitForOlderTransactions(db);
  return begun;
}

/** Beyond every number of an event. */
const LAST_N = 999_999_999_999_999;

/** After everything that is committed now, or may yet be committed by an open transaction. */
export async function presentPlace(db: Db): Promise<StreamPlace> {
  const { rows } = await sql<{ xid: number }>`
    select (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1) as xid`.execute(db);
  return { xid: Number(rows[0]?.xid ?? 0), n: LAST_N };
}

/** Whether everything after a position is still there: it was recorded, and is of this database. */
export async function mayResume(db: Db, siteId: number, { xid }: StreamPlace, now: Date): Promise<boolean> {
  const { rows } = await sql`
    select from stream_recordings
    where site_id = ${siteId} and kept_until >= ${now} and since_xid <= ${xid}
      and ${xid}::bigint < pg_snapshot_xmax(pg_current_snapshot())::text::bigint`.execute(db);
  return rows.length > 0;
}

export interface StreamedEvent extends StreamPlace {
  event: WebhookEvent;
  body: Buffer;
}

export interface StreamBatch {
  events: StreamedEvent[];
  /** The token was revoked or has expired. */
  isOver: boolean;
}

/** The next events after a position, in their order, and whether the stream's token is still valid. */
export async function readStream(
  db: Db,
  {
    siteId,
    tokenId,
    after,
    types,
    now,
    limit,
  }: {
    siteId: number;
    tokenId: number;
    after: StreamPlace;
    types: readonly WebhookEvent[];
    now: Date;
    limit: number;
  },
): Promise<StreamBatch> {
  const { rows } = await sql<{
    xid: string | null;
    n: string;
    event: WebhookEvent;
    body: Buffer;
    live: boolean;
  }>`${prepared}
    with token as (
      select exists (
        select from api_tokens where site_id = ${siteId} and id = ${tokenId} and revoked_at is null
          and (expires_at is null or expires_at > ${now})) as live
    )
    select t.live, e.stream_xid as xid, e.stream_n as n, e.event, e.body
    from token t left join lateral (
      select stream_xid, stream_n, event, body from webhook_events
      where site_id = ${siteId} and (stream_xid, stream_n) > (${after.xid}::bigint, ${after.n}::bigint)
        and stream_xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint and event = any (${types}::text[])
      order by stream_xid, stream_n limit ${limit}
    ) e on true`.execute(db);
  const events = rows.flatMap(({ xid, n, event, body }) =>
    xid === null ? [] : [{ xid: Number(xid), n: Number(n), event, body }],
  );
  return { events, isOver: rows[0]?.live !== true };
}
