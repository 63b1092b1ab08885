import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { eventBody } from '../packages/server/src/core/event-record.ts';
import { createVault } from '../packages/server/src/core/vault.ts';
import type { Db } from '../packages/server/src/db/database.ts';
import { newSecret } from '../packages/server/src/webhooks/sending/signature.ts';

/** The server's key, for encryption and decryption. */
export const SECRET = randomBytes(32).toString('hex');

const BODY = {
  session_id: 'ses_0123456789abcdefghijkl',
  visitor: { key: 'user_42', name: 'Maya Fischer', email: 'maya@example.com' },
  handoff_reason: 'visitor_request',
  summary:
    'The visitor asked: "How many days do I have to return an item?" It was answered, and a person was wanted.',
} as const;

/** @returns the ids of subscriptions to these addresses, all of one site. */
export async function subscribe(db: Db, siteId: number, urls: string[]): Promise<number[]> {
  const cipher = createVault(SECRET).seal(newSecret());
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into webhook_subscriptions (site_id, url, events, secret_cipher, secret_hint)
      select ${siteId}, url, '{handoff}', ${cipher}, 'none' from unnest(${urls}::text[]) as url returning site_id, id
    )
    insert into webhook_leases (site_id, subscription_id) select site_id, id from made
    returning subscription_id as id`.execute(db);
  return rows.map(({ id }) => id);
}

export const newBody = (siteId: number): Buffer =>
  eventBody('evt_0123456789abcdefghijkl', siteId, new Date(), { event: 'handoff', body: BODY });

/** Like `emit`, but many at once: an event and a delivery each, over the subscriptions in turn. */
export async function makeDue(db: Db, siteId: number, subscriptions: number[], count: number): Promise<void> {
  const run = randomBytes(8).toString('hex');
  await sql`
    with event as (
      insert into webhook_events (site_id, id, event, body)
      select ${siteId}, ${run} || n, 'handoff', ${newBody(siteId)} from generate_series(1, ${count}::int) as n returning id
    ), delivery as (
      insert into webhook_deliveries (site_id, delivery_id, event_id, subscription_id)
      select ${siteId}, 'dlv_' || id, id, (${subscriptions}::bigint[])[1 + row_number() over () % ${subscriptions.length}::int]
      from event returning id, subscription_id
    )
    insert into webhook_queue (site_id, delivery_id, subscription_id, next_attempt_at)
    select ${siteId}, id, subscription_id, now() from delivery`.execute(db);
  await sql`vacuum analyze webhook_deliveries, webhook_queue`.execute(db);
}

/** Like `events.ts`, in a separate transaction. */
export async function emit(db: Db, siteId: number): Promise<void> {
  const id = `evt_${randomBytes(16).toString('base64url')}`;
  const [now, body] = [new Date(), newBody(siteId)];
  await sql`
    with event as (
      insert into webhook_events (site_id, id, event, body, created_at) values (${siteId}, ${id}, 'handoff', ${body}, ${now})
    ), delivery as (
      insert into webhook_deliveries (site_id, delivery_id, event_id, subscription_id, created_at)
      select ${siteId}, ${id} || '_' || s.id, ${id}, s.id, ${now} from webhook_subscriptions s where s.site_id = ${siteId}
      returning id, subscription_id
    )
    insert into webhook_queue (site_id, delivery_id, subscription_id, next_attempt_at)
    select ${siteId}, id, subscription_id, ${now} from delivery`.execute(db);
}
