import { randomUUID } from 'node:crypto';
import { RETENTION_KINDS, type RetentionKind } from '@foyer/protocol';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findDue } from '../../test/find-due.ts';
import { openShop, type Shop } from '../../test/fixtures/reports.ts';
import { useGround } from '../../test/ground.ts';
import { sendMessage } from '../conversations/chat.ts';
import { closeSession } from '../conversations/closing.ts';
import type { SiteContext } from '../core/context.ts';
import { findOperation, runOperation } from '../registry.ts';
import { countOlder, getRetention, setRetention } from './rules.ts';
import { purgeExpired, retentionClock } from './runs.ts';

const NOW = '2026-06-30T12:00:00Z';
const DAY_MS = 86_400_000;
const BEFORE = (days: number, ms = 0): string => new Date(Date.parse(NOW) - days * DAY_MS - ms).toISOString();

const ground = useGround();

const keep = (shop: Shop, kind: Exclude<RetentionKind, 'deleted_articles'>, keep_days: number | null) =>
  setRetention(shop.at(NOW), { kind, keep_days });
const run = (shop: Shop, kind: RetentionKind) => purgeExpired(shop.at(NOW), kind);
const rows = async (ctx: SiteContext, table: string): Promise<number> => {
  const { rows: found } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where site_id = ${ctx.site.id}`.execute(ctx.db);
  return found[0]?.count ?? 0;
};
const stateOf = async (shop: Shop, kind: RetentionKind) =>
  (await getRetention(shop.at(NOW))).kinds.find((state) => state.kind === kind);
const isDue = async (shop: Shop, kind: RetentionKind) =>
  (await findDue(retentionClock, ground.db, new Date(NOW), 1_000)).some(
    ({ siteId, id }) => siteId === shop.site.site.id && RETENTION_KINDS[id] === kind,
  );

async function closedChat(shop: Shop, time: string) {
  const chat = await shop.chat(time);
  await closeSession(chat.at(time), chat.id);
  return chat;
}

test('by default only spam, the logs of webhooks, actions and mails and deleted articles are deleted', async () => {
  const shop = await openShop(ground);
  const { kinds } = await getRetention(shop.at(NOW));
  expect(kinds.map(({ kind }) => kind)).toEqual(RETENTION_KINDS);
  const chosen = kinds.filter(({ keep_days }) => keep_days !== null);
  expect(chosen.map(({ kind, keep_days }) => [kind, keep_days])).toEqual([
    ['spam_chats', 30],
    ['spam_tickets', 30],
    ['webhook_log', 30],
    ['action_log', 30],
    ['deleted_articles', 30],
    ['mail_sources', 30],
    ['mail_log', 365],
  ]);
  await closedChat(shop, BEFORE(3_000));
  await run(shop, 'chats');
  expect(await rows(shop.site, 'conversations')).toBe(1);
});

test('chats are deleted at the limit with all their data, and stay in the sums of the reports', async () => {
  const shop = await openShop(ground);
  const old = await closedChat(shop, BEFORE(100, 1));
  await closedChat(shop, BEFORE(100));
  const withBot = await shop.chat(BEFORE(200));
  await shop.count();
  const before = await shop.sums();
  expect(before.length).toBeGreaterThan(0);
  await keep(shop, 'chats', 100);
  expect(await countOlder(shop.at(NOW), 'chats', 100)).toEqual({ count: 2, at_least: false });
  // Twice at once, as by two processes, and again.
  await Promise.all([run(shop, 'chats'), run(shop, 'chats')]);
  await run(shop, 'chats');
  expect(await rows(shop.site, 'conversations')).toBe(1);
  expect(await stateOf(shop, 'chats')).toMatchObject({ deleted: 2, due: { count: 0 }, running: false });
  // A late mark finds nothing, and removes nothing.
  await ground.db
    .insertInto('report_dirty_records')
    .values([old.id, withBot.id].map((record) => ({ site_id: shop.site.site.id, record })))
    .execute();
  await shop.count();
  expect(await shop.sums()).toEqual(before);
});

test('a chat that the reports have yet to count stays until they have', async () => {
  const shop = await openShop(ground);
  await closedChat(shop, BEFORE(100));
  await keep(shop, 'chats', 30);
  await run(shop, 'chats');
  expect(await rows(shop.site, 'conversations')).toBe(1);
  await shop.count();
  await keep(shop, 'chats', 30);
  await run(shop, 'chats');
  expect(await rows(shop.site, 'conversations')).toBe(0);
  expect((await shop.sums()).some((line) => line.startsWith('chats '))).toBe(true);
});

test('a chat is deleted even if a later one continues it, which stays and loses the reference', async () => {
  const shop = await openShop(ground);
  const chat = await closedChat(shop, BEFORE(100));
  const said = { sessionId: chat.id, clientId: randomUUID(), text: 'One more thing' };
  const { sessionId } = await sendMessage(chat.at(BEFORE(10)), said);
  const chats = () =>
    ground.db
      .selectFrom('conversations')
      .select(['session_id', 'previous_id'])
      .where('site_id', '=', shop.site.site.id)
      .orderBy('id')
      .execute();
  expect(await chats()).toMatchObject([
    { session_id: chat.id, previous_id: null },
    { session_id: sessionId, previous_id: expect.any(Number) },
  ]);
  await shop.count();
  await keep(shop, 'chats', 30);
  await run(shop, 'chats');
  expect(await chats()).toEqual([{ session_id: sessionId, previous_id: null }]);
});

test('a chat that waits for a person stays, however old it is', async () => {
  const shop = await openShop(ground);
  const chat = await shop.chat(BEFORE(900));
  await sql`update conversations set status = 'waiting' where session_id = ${chat.id}`.execute(ground.db);
  await shop.count();
  await keep(shop, 'chats', 30);
  await run(shop, 'chats');
  expect(await rows(shop.site, 'conversations')).toBe(1);
});

const ticket = async (shop: Shop, body: object = {}): Promise<number> => {
  const create = findOperation('tickets.create');
  if (!create) throw new Error('no operation');
  const input = { subject: 'Late', body: 'Where is it?', requester: { key: 'user_ticket' }, ...body };
  const made = await runOperation(create, shop.at(BEFORE(400)), input);
  return (made as { id: number }).id;
};

/** An entry that is as old as `ms` before 90 days. */
const writeEntry = (shop: Shop, subject: string, ms: number, subject_id = 1) =>
  ground.db
    .insertInto('audit_entries')
    .values({
      site_id: shop.site.site.id,
      actor_kind: 'operator',
      actor_id: null,
      subject,
      subject_id,
      action: 'tags.update',
      created_at: new Date(BEFORE(90, ms)),
    })
    .execute();

test('closed tickets are deleted with their words and their history; a chat loses its link, an open ticket stays', async () => {
  const shop = await openShop(ground);
  const chat = await closedChat(shop, BEFORE(1));
  const old = await ticket(shop, { session_id: chat.id });
  const open = await ticket(shop);
  // For a tag with the ticket's id.
  await writeEntry(shop, 'tag', 0, old);
  await sql`
    update tickets set status = 'closed', solved_at = updated_at
    where site_id = ${shop.site.site.id} and id = ${old}`.execute(ground.db);
  await shop.count();
  const before = await shop.sums();
  await keep(shop, 'tickets', 365);
  await run(shop, 'tickets');
  const left = await ground.db
    .selectFrom('tickets')
    .select('id')
    .where('site_id', '=', shop.site.site.id)
    .execute();
  expect(left).toEqual([{ id: open }]);
  expect(await rows(shop.site, 'ticket_words')).toBe(1);
  const history = await ground.db
    .selectFrom('audit_entries')
    .select(['subject', 'subject_id'])
    .distinct()
    .where('site_id', '=', shop.site.site.id)
    .where('subject', 'in', ['tag', 'ticket'])
    .orderBy('subject')
    .execute();
  expect(history).toEqual([
    { subject: 'tag', subject_id: old },
    { subject: 'ticket', subject_id: open },
  ]);
  await shop.count();
  expect(await shop.sums()).toEqual(before);
});

async function visitor(shop: Shop, key: string, seen: string, email: string | null = null): Promise<number> {
  const { id } = await ground.db
    .insertInto('visitors')
    .values({ site_id: shop.site.site.id, key, email, last_seen_at: new Date(seen) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const keysOf = async (shop: Shop) =>
  (
    await ground.db.selectFrom('visitors').select('key').where('site_id', '=', shop.site.site.id).execute()
  ).map(({ key }) => key);

test('inactive anonymous visitors are deleted, known ones by a setting of their own, and visitors with a chat stay', async () => {
  const shop = await openShop(ground);
  await visitor(shop, 'anon_old', BEFORE(61));
  await visitor(shop, 'anon_new', BEFORE(59));
  await visitor(shop, 'anon_named', BEFORE(61), 'ann@example.com');
  await visitor(shop, 'customer-7', BEFORE(800));
  const { key } = await closedChat(shop, BEFORE(900));
  await keep(shop, 'anonymous_visitors', 60);
  await run(shop, 'anonymous_visitors');
  expect(await keysOf(shop)).toEqual(expect.arrayContaining(['anon_new', 'anon_named', 'customer-7', key]));
  expect(await keysOf(shop)).not.toContain('anon_old');
  await keep(shop, 'known_visitors', 60);
  await run(shop, 'known_visitors');
  expect((await keysOf(shop)).toSorted()).toEqual(['anon_new', key].toSorted());
});

test('a scan over more visitors than a batch reads each, and continues where a killed one stopped', async () => {
  const shop = await openShop(ground);
  await sql`
    insert into visitors (site_id, key, last_seen_at)
    select ${shop.site.site.id}, 'anon_' || n, ${n90()}::timestamptz from generate_series(1, 1200) n`.execute(
    ground.db,
  );
  await keep(shop, 'anonymous_visitors', 60);
  const killed = shop.at(NOW);
  let batches = 0;
  const dies: SiteContext = Object.assign(Object.create(killed), {
    site: killed.site,
    db: killed.db,
    now: () => killed.now(),
    transaction: (work: (tx: SiteContext) => Promise<unknown>) => {
      batches += 1;
      if (batches === 2) throw new Error('killed');
      return killed.transaction(work);
    },
  });
  await expect(purgeExpired(dies, 'anonymous_visitors')).rejects.toThrow('killed');
  expect(await rows(shop.site, 'visitors')).toBe(700);
  expect(await stateOf(shop, 'anonymous_visitors')).toMatchObject({ running: true, deleted: 500 });
  await run(shop, 'anonymous_visitors');
  expect(await rows(shop.site, 'visitors')).toBe(0);
  expect(await stateOf(shop, 'anonymous_visitors')).toMatchObject({ running: false, deleted: 1200 });
  expect(await isDue(shop, 'anonymous_visitors')).toBe(false);
});
const n90 = () => BEFORE(90);

test('events are deleted, and their visitors’ counts and segments follow from the rest', async () => {
  const shop = await openShop(ground);
  const id = await visitor(shop, 'user_events', NOW);
  const site_id = shop.site.site.id;
  await sql`
    insert into segments (site_id, name, rule, filled_at) values (${site_id}, 'Buyers',
      '{"all": [{"event": "bought", "op": "gte", "count": 2}]}', now())`.execute(ground.db);
  await sql`update visitors set event_count = 3 where site_id = ${site_id} and id = ${id}`.execute(ground.db);
  for (const at of [BEFORE(50), BEFORE(40), BEFORE(1)])
    await ground.db
      .insertInto('visitor_events')
      .values({
        site_id,
        visitor_id: id,
        name: 'bought',
        occurred_at: new Date(at),
        created_at: new Date(at),
      })
      .execute();
  await keep(shop, 'events', 30);
  await run(shop, 'events');
  const after = await ground.db
    .selectFrom('visitors')
    .select(['event_count', 'segments_due_at'])
    .where('site_id', '=', site_id)
    .executeTakeFirstOrThrow();
  expect(after).toEqual({ event_count: 1, segments_due_at: new Date(NOW) });
  expect(await rows(shop.site, 'visitor_events')).toBe(1);
});

test('page views are deleted by when they were left; an open one stays', async () => {
  const shop = await openShop(ground);
  const id = await visitor(shop, 'user_pages', NOW);
  const site_id = shop.site.site.id;
  await sql`
    with device as (
      insert into visitor_devices (site_id, visitor_id, token_hash) values (${site_id}, ${id}, ${Buffer.from(randomUUID())}) returning id
    )
    insert into visitor_pages (site_id, visitor_id, device_id, verified, url, came_at, opened_at, node, alive_at, left_at)
    select ${site_id}, ${id}, device.id, false, 'https://shop.example/', ${BEFORE(90)}, ${BEFORE(90)}, 'a', ${BEFORE(90)}, left_at
    from device, (values (${BEFORE(30, 1)}::timestamptz), (${BEFORE(30)}::timestamptz), (null)) as pages (left_at)`.execute(
    ground.db,
  );
  await keep(shop, 'pages', 30);
  await run(shop, 'pages');
  const { rows: left } = await sql<{ left_at: Date | null }>`
    select left_at from visitor_pages where site_id = ${site_id} order by id`.execute(ground.db);
  expect(left.map(({ left_at }) => left_at)).toEqual([new Date(BEFORE(30)), null]);
});

test('files are deleted and their messages stay; one that was only a file shows its name', async () => {
  const shop = await openShop(ground);
  const chat = await shop.chat(BEFORE(1));
  const site_id = shop.site.site.id;
  await sql`update messages set text = '' where site_id = ${site_id} and sender = 'visitor'`.execute(
    ground.db,
  );
  await sql`
    insert into attachments (site_id, upload_id, conversation_id, message_seq, position, name, content_type, size, content, created_at)
    select site_id, ${randomUUID()}::uuid, conversation_id, seq, 1, 'invoice.pdf', 'application/pdf', 1, 'x', ${BEFORE(31)}
    from messages where site_id = ${site_id} and sender = 'visitor'`.execute(ground.db);
  await keep(shop, 'files', 30);
  await run(shop, 'files');
  expect(await rows(shop.site, 'attachments')).toBe(0);
  const said = await sql<{ text: string }>`
    select text from messages m join conversations c on c.site_id = m.site_id and c.id = m.conversation_id
    where c.session_id = ${chat.id} and m.sender = 'visitor'`.execute(ground.db);
  expect(said.rows).toEqual([{ text: '📎 invoice.pdf' }]);
});

test('the audit log is deleted at the limit; not tickets’ histories, nor another site’s', async () => {
  const [mine, other] = [await openShop(ground), await openShop(ground)];
  for (const ms of [1, 0]) {
    await writeEntry(mine, 'tag', ms);
    await writeEntry(mine, 'ticket', ms);
    await writeEntry(other, 'tag', ms);
  }
  await keep(mine, 'audit_log', 90);
  expect(await isDue(mine, 'audit_log')).toBe(true);
  expect(await isDue(other, 'audit_log')).toBe(false);
  await run(mine, 'audit_log');
  expect(await rows(mine.site, 'audit_entries')).toBe(3);
  expect(await rows(other.site, 'audit_entries')).toBe(2);
});

test('the audit log records a choice with its former value, and the log of webhooks can’t be kept forever', async () => {
  const shop = await openShop(ground);
  const set = findOperation('retention.set');
  if (!set) throw new Error('no operation');
  await runOperation(set, shop.at(NOW), { kind: 'chats', keep_days: 365 });
  const { changes } = await ground.db
    .selectFrom('audit_entries')
    .select('changes')
    .where('site_id', '=', shop.site.site.id)
    .executeTakeFirstOrThrow();
  expect(changes).toEqual({ keep_chats_days: [null, 365] });
  for (const keep_days of [null, 366])
    await expect(runOperation(set, shop.at(NOW), { kind: 'webhook_log', keep_days })).rejects.toMatchObject({
      code: 'invalid_input',
    });
});

test('records of each kind that are exactly as old as the limit stay, and those a moment older are deleted', async () => {
  const shop = await openShop(ground);
  const site_id = shop.site.site.id;
  const known = await visitor(shop, 'user_edges', NOW);
  const chat = await shop.chat(BEFORE(1));
  const edges = sql`(values (${BEFORE(30)}::timestamptz), (${BEFORE(30, 1)}::timestamptz)) as edges (at)`;
  await sql`
    insert into visitors (site_id, key, last_seen_at) select ${site_id}, 'anon_' || at, at from ${edges}`.execute(
    ground.db,
  );
  await sql`
    insert into visitor_events (site_id, visitor_id, name, occurred_at, created_at)
    select ${site_id}, ${known}, 'bought', at, at from ${edges}`.execute(ground.db);
  await sql`
    insert into attachments
      (site_id, upload_id, conversation_id, message_seq, position, name, content_type, size, content, created_at)
    select m.site_id, gen_random_uuid(), m.conversation_id, m.seq, 1, 'a.pdf', 'application/pdf', 1, 'x', at
    from messages m join conversations c on c.site_id = m.site_id and c.id = m.conversation_id, ${edges}
    where c.session_id = ${chat.id} and m.sender = 'visitor'`.execute(ground.db);
  await sql`
    insert into tickets (site_id, subject, description, requester_id, status, solved_at, updated_at)
    select ${site_id}, 'A lamp', 'Broken', ${known}, 'closed', at, at from ${edges}`.execute(ground.db);
  // Nobody counts these tickets for the reports.
  await sql`delete from report_dirty_records where site_id = ${site_id}`.execute(ground.db);
  await shop.count();
  const kinds = [
    ['anonymous_visitors', 'visitors', sql`last_seen_at`, sql`key like 'anon_20%'`],
    ['events', 'visitor_events', sql`occurred_at`, sql`true`],
    ['files', 'attachments', sql`created_at`, sql`true`],
    ['tickets', 'tickets', sql`updated_at`, sql`true`],
  ] as const;
  for (const [kind, table, column, condition] of kinds) {
    await keep(shop, kind, 30);
    await run(shop, kind);
    const { rows: left } = await sql<{ at: Date }>`
      select ${column} as at from ${sql.table(table)} where site_id = ${site_id} and ${condition}`.execute(
      ground.db,
    );
    expect(left, kind).toEqual([{ at: new Date(BEFORE(30)) }]);
  }
});
