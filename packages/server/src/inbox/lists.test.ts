import {
  CHATS_OF_QUEUE,
  compareKeys,
  INBOX_SORTS,
  type InboxFilter,
  type InboxSort,
  type Session,
  type StateQueue,
  sortKey,
  type TicketSummary,
} from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';

const ROWS = 10_000;
let app: TestApp;
let site: TestSite;
let cookie: string;
let segment: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  await fill();
});
afterAll(() => app.close());

/** Many chats and tickets, several at the same millisecond, and 30 of each with a tag and of a segment. */
async function fill(): Promise<void> {
  const { db } = site.operator;
  const id = sql`${site.site.id}::bigint`;
  const rare = { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] };
  const made = await app.desk(cookie, 'segments.create', { name: 'Pro', rule: rare });
  segment = made.body.data.id;
  await sql`
    insert into visitors (site_id, key, name) select ${id}, 'user_' || n, 'Visitor ' || n
    from generate_series(1, 100) n`.execute(db);
  await sql`
    insert into segment_members (site_id, segment_id, visitor_id, entered_at)
    select site_id, ${segment}, id, now() from visitors where site_id = ${id} and key = 'user_7'`.execute(db);
  const visitor = sql`(select id from visitors where site_id = ${id} and key = 'user_' || 1 + n % 100)`;
  await sql`
    insert into conversations (site_id, session_id, visitor_id, start_client_id, status, agent_id, last_seq, said_sender,
      said_text, said_at, unanswered_since, started_at, ended_at, page_url, language, snoozed_until)
    select ${id}, 'ses_' || lpad(n::text, 22, 'A'), ${visitor}, gen_random_uuid(), s.status,
      case when s.status = 'active' then ${site.admin.agentId}::bigint end, 1, 'visitor', 'Text ' || n,
      date_trunc('second', now() - n % 500 * interval '7 s'),
      case when s.status <> 'closed' and n % 2 = 0 then date_trunc('second', now() - n % 300 * interval '11 s') end,
      now() - (${ROWS} - n) * interval '1 min', case when s.status = 'closed' then now() end,
      'https://shop.example/' || case when n % 400 = 0 then 'cart' else 'lamps' end, (array['en', 'de'])[1 + n % 2],
      case when s.status in ('waiting', 'active') and n % 10 = 3
        then date_trunc('hour', now()) + n % 40 * interval '1 hour' + interval '1 hour' end
    from generate_series(1, ${ROWS}) n,
      lateral (select (array['closed', 'closed', 'closed', 'active', 'waiting', 'bot'])[1 + n % 6]) s (status)`.execute(
    db,
  );
  await sql`
    insert into tickets (site_id, subject, description, status, priority, requester_id, assignee_id, snoozed_until,
      solved_at, created_at, updated_at, last_activity_at, unanswered_since)
    select ${id}, 'Ticket ' || n, 'Text', s.status, (array['low', 'normal', 'high', 'urgent'])[1 + n % 4], ${visitor},
      case when n % 3 = 0 then ${site.admin.agentId}::bigint end,
      case when s.status = 'open' and n % 10 = 1 then date_trunc('hour', now()) + n % 40 * interval '1 hour' end,
      case when s.status in ('solved', 'closed') then now() end, now() - (${ROWS} - n) * interval '1 min', now(),
      date_trunc('second', now() - n % 700 * interval '13 s'),
      case when n % 2 = 0 then date_trunc('second', now() - n % 900 * interval '17 s') end
    from generate_series(1, ${ROWS}) n,
      lateral (select (array['new', 'open', 'pending', 'hold', 'solved', 'closed'])[1 + n % 6]) s (status)`.execute(
    db,
  );
  await sql`insert into tags (site_id, name, color) values (${id}, 'returns', '#0f766e')`.execute(db);
  await sql`
    insert into conversation_tags (site_id, conversation_id, tag_id)
    select c.site_id, c.id, g.id from (select * from conversations where site_id = ${id} order by id limit 30) c, tags g
    where g.site_id = ${id}`.execute(db);
  await sql`
    insert into ticket_tags (site_id, ticket_id, tag_id, created_at)
    select t.site_id, t.id, g.id, t.created_at from (select * from tickets where site_id = ${id} order by id limit 30) t, tags g
    where g.site_id = ${id}`.execute(db);
}

/** All pages of a list. */
async function pages<T>(operation: string, input: object): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await app.desk(cookie, operation, {
      ...input,
      limit: 200,
      ...(cursor && { cursor }),
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    items.push(...body.data);
    cursor = body.page.next_cursor;
  } while (cursor !== null);
  return items;
}

interface Asked extends InboxFilter {
  queue?: StateQueue;
  sort?: InboxSort;
}
const tickets = (input: Asked): Promise<TicketSummary[]> => pages('inbox.tickets', input);
const chats = ({ queue, ...input }: Asked): Promise<Session[]> =>
  pages('sessions.list', { queue: queue === undefined ? 'all' : CHATS_OF_QUEUE[queue], ...input });

const ms = (utc: string): number => Date.parse(utc);
const ticketKey = (sort: InboxSort, ticket: TicketSummary) => {
  const waits = ['new', 'open'].includes(ticket.status) && ticket.unanswered_since_utc;
  return sortKey(sort, {
    kind: 'ticket',
    activeMs: ms(ticket.last_activity_utc),
    createdMs: ms(ticket.created_utc),
    waitingSinceMs: waits ? ms(waits) : undefined,
    priority: ticket.priority,
    dueMs: ticket.snoozed_until_utc ? ms(ticket.snoozed_until_utc) : undefined,
    slaDueMs: ticket.sla?.due_utc ? ms(ticket.sla.due_utc) : undefined,
  });
};
const chatKey = (sort: InboxSort, chat: Session) => {
  const waits = ['waiting', 'active'].includes(chat.status) && chat.unanswered_since_utc;
  return sortKey(sort, {
    kind: 'chat',
    activeMs: ms(chat.last_message?.created_utc ?? chat.started_utc),
    createdMs: ms(chat.started_utc),
    waitingSinceMs: waits ? ms(waits) : undefined,
    priority: 'normal',
    dueMs: chat.snoozed_until_utc ? ms(chat.snoozed_until_utc) : undefined,
    slaDueMs: undefined,
  });
};
const isSorted = (keys: readonly (readonly number[])[]): boolean =>
  keys.every((key, at) => at === 0 || compareKeys(keys[at - 1] ?? [], key) <= 0);
const count = async (table: 'tickets' | 'conversations', where: string): Promise<number> => {
  const { rows } = await app.app.database.pool.query(
    `select count(*)::int as count from ${table} where site_id = $1 and ${where}`,
    [site.site.id],
  );
  return rows[0].count;
};

describe.each([...INBOX_SORTS])('in the order %s', (sort) => {
  test('the tickets of a queue of thousands come page by page, each once and in order', async () => {
    const queue = sort === 'due' ? 'snoozed' : 'open';
    const found = await tickets({ queue, sort });
    expect(isSorted(found.map((ticket) => ticketKey(sort, ticket)))).toBe(true);
    expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
    const open = `status in ('new', 'open', 'pending', 'hold')`;
    const wanted = sort === 'due' ? 'snoozed' : `not snoozed and ${open}`;
    expect(found.length).toBe(await count('tickets', wanted));
  });

  test('the chats of a queue of thousands come page by page, each once and in order', async () => {
    const queue = sort === 'due' ? 'snoozed' : 'open';
    const found = await chats({ queue, sort });
    expect(isSorted(found.map((chat) => chatKey(sort, chat)))).toBe(true);
    expect(new Set(found.map(({ session_id }) => session_id)).size).toBe(found.length);
    const wanted =
      sort === 'due' ? 'snoozed_until is not null' : `status <> 'closed' and snoozed_until is null`;
    expect(found.length).toBe(await count('conversations', wanted));
  });
});

test('a filter selects chats and tickets alike, of a queue and of all', async () => {
  const [ofChats, ofTickets] = [await chats({ tag: 'Returns' }), await tickets({ tag: 'Returns' })];
  const aside = await chats({ tag: 'returns', queue: 'snoozed' });
  expect(aside.length).toBeGreaterThan(0);
  expect(ofChats.length + aside.length).toBe(30);
  expect(ofChats.every(({ tags }) => tags.includes('returns'))).toBe(true);
  expect(ofTickets.every(({ tags }) => tags.includes('returns'))).toBe(true);
  const snoozed = await tickets({ tag: 'returns', queue: 'snoozed' });
  expect(ofTickets.length + snoozed.length).toBe(30);
  expect((await chats({ tag: 'returns', queue: 'closed' })).length).toBe(
    ofChats.filter(({ status }) => status === 'closed').length,
  );
  const mine = { assignee_id: site.admin.agentId, queue: 'open' } as const;
  expect((await chats(mine)).length).toBe(
    await count('conversations', 'agent_id is not null and snoozed_until is null'),
  );
  expect((await tickets(mine)).every(({ assignee }) => assignee?.id === site.admin.agentId)).toBe(true);
  const pro = { segment };
  expect((await chats(pro)).map(({ visitor }) => visitor.key)).toEqual(Array(100).fill('user_7'));
  expect((await tickets(pro)).every(({ requester }) => requester.key === 'user_7')).toBe(true);
});

test('a filter of one kind selects that kind alone, even if few of thousands match', async () => {
  expect(await chats({ page: '/CART' })).toHaveLength(ROWS / 400);
  expect(await tickets({ page: '/cart' })).toEqual([]);
  expect(await chats({ language: 'de', queue: 'open' })).toHaveLength(
    await count('conversations', `status <> 'closed' and snoozed_until is null and language = 'de'`),
  );
  expect(await chats({ priority: 'urgent' })).toEqual([]);
  expect(await tickets({ priority: 'urgent', queue: 'open' })).toHaveLength(
    await count(
      'tickets',
      `priority = 'urgent' and not snoozed and status in ('new', 'open', 'pending', 'hold')`,
    ),
  );
  expect(await chats({ channel: 'ticket' })).toEqual([]);
  expect(await tickets({ channel: 'chat' })).toEqual([]);
  expect(await tickets({ status: 'bot' })).toEqual([]);
  expect(await chats({ status: 'bot' })).toHaveLength(await count('conversations', `status = 'bot'`));
  expect(await tickets({ status: 'hold', queue: 'waiting' })).toEqual([]);
  expect(await tickets({ tag: 'unheard of' })).toEqual([]);
});

test('a date selects by when something began, or by its last activity', async () => {
  const day = { created_within: '1d' } as const;
  expect(await chats(day)).toHaveLength(
    await count('conversations', `started_at > now() - interval '1 day' and snoozed_until is null`),
  );
  const active = await tickets({ active_within: '1d', created_within: '7d', queue: 'open' });
  expect(active).toHaveLength(
    await count('tickets', `not snoozed and status in ('new', 'open', 'pending', 'hold')`),
  );
});

test('everything that a filter selects can be changed at once, and nothing else', async () => {
  const of = (list: Asked) => ({ of: { list } });
  const counted = async (list: Asked): Promise<number> =>
    (await app.desk(cookie, 'bulk_changes.count', of(list))).body.data.count;
  expect(await counted({ tag: 'returns' })).toBe(
    (await chats({ tag: 'returns' })).length + (await tickets({ tag: 'returns' })).length,
  );
  expect(await counted({ page: '/cart' })).toBe(ROWS / 400);
  expect(await counted({ tag: 'returns', queue: 'closed', channel: 'ticket' })).toBe(
    (await tickets({ tag: 'returns', queue: 'closed' })).length,
  );
});

test('a cursor of one order is refused in another', async () => {
  for (const operation of ['inbox.tickets', 'sessions.list']) {
    const first = await app.desk(cookie, operation, { queue: 'open', limit: 1 });
    const { status } = await app.desk(cookie, operation, {
      queue: 'open',
      limit: 1,
      sort: 'oldest',
      cursor: first.body.page.next_cursor,
    });
    expect(status).toBe(400);
  }
});
