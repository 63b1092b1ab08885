import { randomUUID } from 'node:crypto';
import { contract, type InputOf, type ListedVisitor, type TimelineEntry } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { findDue } from '../../test/find-due.ts';
import { useGround } from '../../test/ground.ts';
import { blockVisitor, unblockVisitor } from '../conversations/block-visitor.ts';
import { requestPerson, sendMessage } from '../conversations/chat.ts';
import { getSession } from '../conversations/sessions.ts';
import { beginChat } from '../conversations/starting/begin.ts';
import type { Actor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { eraseVisitor } from '../erasure/erase-visitor.ts';
import { EXPORTED, exportPerson } from './data-export.ts';
import { mergeVisitors, updateVisitor } from './desk/edit.ts';
import { listAtDesk } from './desk/list.ts';
import { addVisitorNote, deleteVisitorNote, editVisitorNote } from './desk/notes.ts';
import { openVisitor } from './desk/profile.ts';
import { listTimeline } from './desk/timeline.ts';
import { trackEvent } from './events/track.ts';
import { openDevice } from './identity/devices.ts';
import { countHere, listHere } from './live/here.ts';
import { leavePage, openPage, pageClock } from './pages/pages.ts';
import { previewSegment } from './segments/preview.ts';
import { upsertVisitor } from './visitors.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  const { site } = await ground.makeSite();
  ctx = ground.contextOf(site.id, { actor: await agent(site.id, 'Ada') });
});

async function agent(siteId: number, name: string, role: 'admin' | 'agent' = 'admin'): Promise<Actor> {
  const { rows } = await sql<{ id: number }>`
    with person as (
      insert into auth_users (id, name, email) select ${randomUUID()}, ${name}, ${`${randomUUID()}@example.com`} returning id
    )
    insert into agents (site_id, user_id, role, name) select ${siteId}, id, ${role}, ${name} from person returning id`.execute(
    ground.db,
  );
  return { kind: 'agent', agentId: rows[0]?.id ?? 0, name, role };
}

const upsert = (input: InputOf<'visitors.upsert'>, at = ctx) =>
  upsertVisitor(at, contract['visitors.upsert'].input.parse(input));
const note = (key: string, text: string, client_id: string = randomUUID()) =>
  addVisitorNote(ctx, { key, text, client_id });
const later = (ms: number, actor: Actor = ctx.actor) =>
  ground.contextOf(ctx.site.id, { actor, now: () => new Date(Date.now() + ms) });

/** A browser of the visitor, with a page open. */
async function comeIn(key: string, url = 'https://shop.example/', at = ctx) {
  const browser = { userAgent: 'Firefox/140.0 Linux', language: 'de-AT', timeZone: 'Europe/Vienna' };
  const device = await openDevice(at.db, at.site.id, { key, now: at.now(), browser });
  const { visitorId, deviceId } = device;
  const actor = { kind: 'visitor', visitorId, deviceId, verified: false, language: 'de' } as const;
  const page = { url, title: 'Shop', referrer: null, deviceId, verified: false, node: 'one' };
  const pageId = await openPage(at, page);
  return { actor, at: ground.contextOf(at.site.id, { actor }), pageId: pageId ?? 0 };
}

const send = (at: SiteContext, text = 'Hello', sessionId: string | null = null) =>
  sendMessage(at, { sessionId, clientId: randomUUID(), text });

const timeline = (input: InputOf<'visitors.timeline'>) =>
  listTimeline(ctx, contract['visitors.timeline'].input.parse(input));

async function whole(input: InputOf<'visitors.timeline'>): Promise<TimelineEntry[]> {
  const found: TimelineEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await timeline({ ...input, ...(cursor ? { cursor } : {}) });
    found.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return found;
}

async function exported(key: string): Promise<Record<string, Record<string, unknown>[]>> {
  let text = '';
  let after: string | undefined;
  do {
    const part = await exportPerson(ctx, { key, after });
    text += part.text;
    after = part.next ?? undefined;
  } while (after);
  return JSON.parse(text);
}

async function liveALife(key: string): Promise<{ sessionId: string }> {
  await upsert({ key, email: `${key}@example.com`, plan: 'pro' });
  for (let at = 0; at < 3; at++) await trackEvent(ctx, { key, name: `event ${at}` });
  const { at } = await comeIn(key);
  const { sessionId } = await send(at, 'Where is it?');
  await sql`
    insert into tickets (site_id, subject, description, requester_id)
    select ${ctx.site.id}, 'A lamp', 'It is broken', id from visitors where site_id = ${ctx.site.id} and key = ${key}`.execute(
    ctx.db,
  );
  await note(key, 'Calls on Mondays');
  return { sessionId };
}

describe('a timeline', () => {
  test('has each event, page, chat, ticket and note once over all pages, in either order', async () => {
    await liveALife('u1');
    const all = await whole({ key: 'u1' });
    expect(all.map(({ kind }) => kind).sort()).toEqual([
      ...['chat', 'event', 'event', 'event', 'note', 'page', 'ticket'],
    ]);
    const ids = (entries: TimelineEntry[]) => entries.map(({ kind, id }) => `${kind} ${id}`);
    for (const limit of [1, 2, 3]) {
      expect(ids(await whole({ key: 'u1', limit }))).toEqual(ids(all));
      expect(ids(await whole({ key: 'u1', limit, order: 'asc' })).sort()).toEqual(ids(all).sort());
    }
    expect(ids(await whole({ key: 'u1', kind: 'event', limit: 2 }))).toHaveLength(3);
  });

  test('of an unknown visitor is not found, nor is another site’s', async () => {
    const other = await ground.makeSite();
    await upsert({ key: 'u1' }, other);
    await expect(timeline({ key: 'u1' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an edit', () => {
  test('changes name, address and attributes, which no page may then change, and doesn’t count as activity', async () => {
    await upsert({ key: 'u1', plan: 'free', seats: 2 }, later(-3_600_000));
    const before = await openVisitor(ctx, 'u1');
    await updateVisitor(ctx, { key: 'u1', name: 'Ann', email: null, attributes: { plan: null, vip: true } });
    const after = await openVisitor(ctx, 'u1');
    expect(after).toMatchObject({ name: 'Ann', attributes: { seats: 2, vip: true }, vouched: ['name'] });
    expect(after.last_seen_utc).toBe(before.last_seen_utc);
    await expect(updateVisitor(ctx, { key: 'nobody', name: 'Ann' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a merge', () => {
  test('leaves one visitor with the data of both, of which their own take precedence', async () => {
    await liveALife('anon_1');
    await liveALife('u1');
    await upsert({ key: 'anon_1', name: 'Ann', plan: 'free', seats: 3 });
    const merged = await mergeVisitors(ctx, { key: 'anon_1', into_key: 'u1' });
    expect(merged).toMatchObject({
      key: 'u1',
      name: 'Ann',
      email: 'u1@example.com',
      attributes: { plan: 'pro', seats: 3 },
    });
    const kinds = (await whole({ key: 'u1' })).map(({ kind }) => kind);
    for (const kind of ['note', 'page', 'chat', 'ticket'])
      expect(kinds.filter((one) => one === kind)).toHaveLength(2);
    await expect(openVisitor(ctx, 'anon_1')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('of two at once is done once, and the other is refused', async () => {
    await upsert({ key: 'a' });
    await upsert({ key: 'b' });
    const both = await Promise.allSettled([
      mergeVisitors(ctx, { key: 'a', into_key: 'b' }),
      mergeVisitors(ctx, { key: 'b', into_key: 'a' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'not_found' } });
  });

  test('with the same visitor is refused, and a block of either stays', async () => {
    await upsert({ key: 'a' });
    await upsert({ key: 'b' });
    await expect(mergeVisitors(ctx, { key: 'a', into_key: 'a' })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await blockVisitor(ctx, 'a');
    await mergeVisitors(ctx, { key: 'a', into_key: 'b' });
    expect(await openVisitor(ctx, 'b')).toMatchObject({ blocked_by: { name: 'Ada' } });
  });
});

describe('a blocked visitor', () => {
  test('can’t begin a chat, write or ask for a person, gets an error in their language, and can again once unblocked', async () => {
    const { at } = await comeIn('u1');
    const { sessionId } = await send(at);
    await blockVisitor(ctx, 'u1');
    expect((await getSession(ctx, sessionId)).status).toBe('closed');
    const refused = { code: 'insufficient_scope', message: expect.stringContaining('keine Nachrichten') };
    await expect(send(at)).rejects.toMatchObject(refused);
    await expect(send(at, 'Hello?', sessionId)).rejects.toMatchObject(refused);
    await expect(requestPerson(at, { sessionId: null, clientId: randomUUID() })).rejects.toMatchObject(
      refused,
    );
    expect(
      (await listAtDesk(ctx, contract['visitors.list'].input.parse({ blocked: true }))).items,
    ).toMatchObject([{ key: 'u1', blocked_utc: expect.any(String) } satisfies Partial<ListedVisitor>]);
    await unblockVisitor(ctx, 'u1');
    expect((await send(at)).sessionId).not.toBe(sessionId);
  });

  test('loses all open chats, however many there are', async () => {
    const { at } = await comeIn('u1');
    await send(at);
    await sql`
      insert into conversations (site_id, session_id, visitor_id, start_client_id, status)
      select site_id, 'ses_' || gen_random_uuid(), visitor_id, gen_random_uuid(), 'waiting'
      from conversations, generate_series(1, 60) where site_id = ${ctx.site.id}`.execute(ctx.db);
    await blockVisitor(ctx, 'u1');
    const open = ctx.db.selectFrom('conversations').select('id').where('site_id', '=', ctx.site.id);
    expect(await open.where('status', '<>', 'closed').execute()).toEqual([]);
  });

  test('can’t write in a chat that was begun in the moment of the block', async () => {
    const { at } = await comeIn('u1');
    const { sessionId } = await send(at);
    await sql`update visitors set blocked_at = now() where site_id = ${ctx.site.id} and key = 'u1'`.execute(
      ctx.db,
    );
    await expect(send(at, 'Hello?', sessionId)).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});

describe('a note on a person', () => {
  test('is stored once, changed by its author alone, and deleted by author or admin', async () => {
    await upsert({ key: 'u1' });
    const id = randomUUID();
    const made = await note('u1', 'Calls on Mondays', id);
    expect(await note('u1', 'Calls on Mondays', id)).toEqual(made);
    const ben = ground.contextOf(ctx.site.id, { actor: await agent(ctx.site.id, 'Ben', 'agent') });
    await expect(editVisitorNote(ben, { id: made.id, text: 'x' })).rejects.toMatchObject({
      code: 'insufficient_scope',
    });
    await expect(deleteVisitorNote(ben, made.id)).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect(await editVisitorNote(ctx, { id: made.id, text: 'On Tuesdays' })).toMatchObject({
      text: 'On Tuesdays',
      edited_utc: expect.any(String),
    });
    expect(await deleteVisitorNote(ctx, made.id)).toEqual({ id: made.id, deleted: true });
    await expect(deleteVisitorNote(ctx, made.id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the export of a person', () => {
  /** The tables that are no data of a person, and why. */
  const LEFT_OUT = {
    chat_slas: 'when the team had to answer chats that are exported',
    blocked_senders: 'whom the team has blocked, with the ticket that it was about',
    message_search_chunks: 'the search’s words of chats that are exported',
    drafts: 'what an agent has not said yet',
    mentions: 'which colleagues a note names',
    mention_queue: 'which colleagues a note names',
    notifications: 'what agents were told of',
    rule_runs: 'what rules did with chats and tickets that are exported',
    ticket_words: 'the search’s words of tickets that are exported',
    portal_answers: 'which form was answered already, by a hash',
    set_questions: 'questions of the team’s own, which may point to a chat',
  };

  test('has every table that refers to a visitor, or gives the reason why not', async () => {
    const { rows } = await sql<{ name: string }>`
      with recursive keys as (
        select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint where contype = 'f'
      ), reached (name) as (
        select 'visitors' union select keys.child from keys join reached on keys.parent = reached.name
      ) select name from reached`.execute(ctx.db);
    const known = [...EXPORTED.map(({ table }) => table), ...Object.keys(LEFT_OUT)];
    expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
  });

  test('is one JSON with all rows of many parts, and no secret in it', async () => {
    await liveALife('u1');
    await sql`
      insert into visitor_events (site_id, visitor_id, name, occurred_at)
      select ${ctx.site.id}, id, 'seen', now() from visitors, generate_series(1, 450)
      where site_id = ${ctx.site.id} and key = 'u1'`.execute(ctx.db);
    await liveALife('other_visitor');
    const data = await exported('u1');
    expect(data.visitor_events).toHaveLength(453);
    expect(new Set(data.visitor_events?.map(({ id }) => id)).size).toBe(453);
    expect(data).toMatchObject({
      visitors: [{ key: 'u1', attributes: { plan: 'pro' } }],
      visitor_pages: [{ url: 'https://shop.example/' }],
      visitor_notes: [{ text: 'Calls on Mondays' }],
      messages: [{ text: 'Where is it?' }],
      tickets: [{ subject: 'A lamp' }],
      attachments: [],
    });
    expect(JSON.stringify(data)).not.toMatch(/token_hash|other_visitor/);
  });

  test('does not find an erased visitor, and no note and no page of theirs is left', async () => {
    await liveALife('u1');
    await eraseVisitor(ctx, 'u1');
    await expect(exportPerson(ctx, { key: 'u1', after: undefined })).rejects.toMatchObject({
      code: 'not_found',
    });
    for (const table of ['visitor_notes', 'visitor_pages', 'visitor_devices']) {
      const { rows } = await sql`select from ${sql.table(table)} where site_id = ${ctx.site.id}`.execute(
        ctx.db,
      );
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });
});

const here = (at = ctx, input: InputOf<'visitors.here'> = {}) =>
  listHere(at, contract['visitors.here'].input.parse(input));

describe('visitors on the site now', () => {
  test('are those with an open page, each once, with the page that was opened last', async () => {
    await comeIn('u1', 'https://shop.example/lamps');
    const { pageId } = await comeIn('u1', 'https://shop.example/cart');
    const { at } = await comeIn('u2');
    await send(at);
    const found = await here();
    expect(found.items).toMatchObject([
      { visitor: { key: 'u2' }, tabs: 1, chat: { status: 'bot' } },
      { visitor: { key: 'u1' }, page_url: 'https://shop.example/cart', tabs: 2, chat: null },
    ]);
    const first = await here(ctx, { limit: 1 });
    const next = await here(ctx, { limit: 1, cursor: first.next_cursor ?? '' });
    expect([...first.items, ...next.items]).toEqual(found.items);
    expect(await countHere(ctx)).toEqual({ count: 2 });
    await leavePage(ctx, pageId);
    expect((await here()).items[1]).toMatchObject({ page_url: 'https://shop.example/lamps', tabs: 1 });
    expect((await openVisitor(ctx, 'u1')).here?.page_url).toBe('https://shop.example/lamps');
    expect((await openVisitor(ctx, 'u1')).devices[0]).toMatchObject({ time_zone: 'Europe/Vienna' });
  });

  test('are not those whose process no longer confirms them; their pages count as left at its last confirmation', async () => {
    const { pageId } = await comeIn('u1');
    const afterwards = later(120_000);
    expect((await here(afterwards)).items).toEqual([]);
    expect(await countHere(afterwards)).toEqual({ count: 0 });
    const [leaving] = pageClock;
    const due = await findDue(leaving, ctx.db, afterwards.now(), 100);
    expect(due?.map(({ siteId }) => siteId)).toContain(ctx.site.id);
    await leaving?.run(afterwards, 0);
    const [page] = await whole({ key: 'u1', kind: 'page' });
    expect(page).toMatchObject({ id: pageId, left_utc: page?.at_utc });
  });

  test('are listed with the beginning of their visit, which a long pause ends', async () => {
    await comeIn('u1', 'https://shop.example/1', later(-45 * 60_000));
    await comeIn('u1', 'https://shop.example/2', later(-20 * 60_000));
    await comeIn('u1', 'https://shop.example/3');
    await comeIn('u2', 'https://shop.example/1', later(-45 * 60_000));
    await comeIn('u2', 'https://shop.example/2');
    const [second, first] = (await here()).items;
    const minutes = (utc = '') => Math.round((Date.now() - Date.parse(utc)) / 60_000);
    expect([minutes(first?.since_utc), minutes(second?.since_utc)]).toEqual([45, 0]);
  });

  test('an agent may write first, once, to a visitor who is there and neither blocked nor in a chat', async () => {
    const { at } = await comeIn('u1');
    const begin = (key: string, client_id: string = randomUUID(), by = ctx) =>
      beginChat(by, { key, client_id, text: 'Can I help?' });
    const id = randomUUID();
    const both = await Promise.allSettled([begin('u1', id), begin('u1')]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { rows } = await sql<{ session_id: string }>`
      select session_id from conversations where site_id = ${ctx.site.id} and status = 'active'`.execute(
      ctx.db,
    );
    const { session_id: sessionId = '' } = rows[0] ?? {};
    expect(await getSession(at, sessionId)).toMatchObject({
      agent_name: 'Ada',
      last_text: 'Can I help?',
      visitor_read_seq: 0,
    });
    await send(at, 'Yes, please', sessionId);
    await upsert({ key: 'away' });
    await expect(begin('away')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('left'),
    });
    await comeIn('u2');
    await blockVisitor(ctx, 'u2');
    await expect(begin('u2')).rejects.toMatchObject({ code: 'conflict' });
    await expect(begin('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the preview of a rule', () => {
  test('is counted exactly on a small site, by attributes and events', async () => {
    for (let at = 0; at < 7; at++) await upsert({ key: `u${at}`, plan: at < 3 ? 'pro' : 'free' });
    await trackEvent(ctx, { key: 'u6', name: 'paid' });
    const rule = {
      any: [
        { attribute: 'plan', op: 'eq' as const, value: 'pro' },
        { event: 'paid', op: 'gte' as const, count: 1 },
      ],
    };
    const { examples, ...found } = await previewSegment(ctx, { rule });
    expect(found).toEqual({ size: 4, is_exact: true, total: 7 });
    expect(examples.map(({ key }) => key).sort()).toEqual(['u0', 'u1', 'u2', 'u6']);
  });

  test('is a good estimate on a large one', async () => {
    await sql`
      insert into visitors (site_id, key, attributes)
      select ${ctx.site.id}, 'user_' || n, jsonb_build_object('plan', case when n % 4 = 0 then 'pro' else 'free' end)
      from generate_series(1, 30000) n`.execute(ctx.db);
    // As autovacuum does: the total is the planner's estimate.
    await sql`analyze visitors`.execute(ctx.db);
    const found = await previewSegment(ctx, {
      rule: { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] },
    });
    expect(found.is_exact).toBe(false);
    expect(Math.abs(found.total - 30_000)).toBeLessThan(2_000);
    expect(Math.abs(found.size - 7_500)).toBeLessThan(1_200);
    expect(found.examples).toHaveLength(5);
  });
});
