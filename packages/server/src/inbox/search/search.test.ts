import { randomUUID } from 'node:crypto';
import { contract, type FoundItem, type InputOf } from '@foyer/protocol';
import { type KyselyPlugin, sql } from 'kysely';
import pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { findDue } from '../../../test/find-due.ts';
import { type Desk, openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { until } from '../../../test/harness.ts';
import { appendMessage } from '../../conversations/append/append-message.ts';
import { deleteChats } from '../../conversations/delete-chats.ts';
import { addNote } from '../../conversations/desk.ts';
import { chatWordClock, readAllChats, readSite } from '../../conversations/search/index-messages.ts';
import type { SiteContext } from '../../core/context.ts';
import { openDatabase } from '../../db/database.ts';
import { eraseVisitor } from '../../erasure/erase-visitor.ts';
import { ensureTags } from '../../tags/tags.ts';
import { listQueueTickets } from '../../tickets/views/list-queue.ts';
import { countTarget } from '../bulk/changes.ts';
import { searchInbox } from './search.ts';

const ground = useGround();
let desk: Desk;
let ctx: SiteContext;

beforeEach(async () => {
  desk = await openDesk(ground);
  ctx = desk.ctx;
});

interface Chat {
  id: number;
  session: string;
}

async function makeVisitor(key: string, name: string | null = null, at = ctx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into visitors (site_id, key, name) values (${at.site.id}, ${key}, ${name}) returning id`.execute(
    at.db,
  );
  return rows[0]?.id ?? 0;
}

async function makeChat(texts: readonly string[], visitor?: number, at = ctx): Promise<Chat> {
  const session = `ses_${randomUUID().slice(0, 22)}`;
  const { rows } = await sql<{ id: number }>`
    insert into conversations (site_id, session_id, visitor_id, start_client_id, status)
    values (${at.site.id}, ${session}, ${visitor ?? (await makeVisitor(randomUUID(), null, at))}, ${randomUUID()}, 'active')
    returning id`.execute(at.db);
  for (const text of texts) await say(session, text, at);
  return { id: rows[0]?.id ?? 0, session };
}

const say = (session: string, text: string, at = ctx, sender: 'visitor' | 'bot' | 'system' = 'visitor') =>
  appendMessage(at, session, { sender, clientId: randomUUID(), text }, sql`true`);

async function find(
  q: string,
  more: Partial<InputOf<'inbox.search'>> = {},
  at = ctx,
): Promise<{ items: FoundItem[]; next: string | null }> {
  const page = await searchInbox(at, contract['inbox.search'].input.parse({ q, ...more }));
  return { items: page.items, next: page.next_cursor };
}
const nameOf = (item: FoundItem): string | number =>
  item.kind === 'chat' ? item.session.session_id : item.ticket.id;
const found = async (...args: Parameters<typeof find>) => (await find(...args)).items.map(nameOf);
const excerptOf = (item: FoundItem | undefined): string =>
  item?.found?.excerpt.map(({ text, hit }) => (hit ? `[${text}]` : text)).join('') ?? '';

test('a chat is found by words of any of its messages, by any author, and of its notes, by all together', async () => {
  const chat = await makeChat(['Hello', 'My teapot is BLUE', 'Schöne Grüße']);
  await say(chat.session, 'Noted under K-4711', ctx, 'bot');
  await say(chat.session, 'mira@example.com was left', ctx, 'system');
  const note = await addNote(ctx, chat.session, {
    clientId: randomUUID(),
    text: 'She is a *lighthouse* keeper',
  });
  await readSite(ctx);
  for (const q of ['teapot', 'blue teap', 'grusse', '4711', 'lighthouse', 'teapots lighthouse 4711'])
    expect(await found(q), q).toEqual([chat.session]);
  for (const q of ['teapot green', 'eapot', 'mira', '@@']) expect(await found(q), q).toEqual([]);
  const [byMessage] = (await find('blue teapot')).items;
  expect(byMessage?.found).toMatchObject({ in: 'message', at: 2 });
  expect(excerptOf(byMessage)).toBe('My [teapot] is [BLUE]');
  const [byNote] = (await find('lighthouse')).items;
  expect(byNote?.found).toMatchObject({ in: 'note', at: note.id });
});

test('words in quotation marks are found only as a phrase, in one text, whatever punctuation is between them', async () => {
  const said = await makeChat(['Please CANCEL my: order', 'Danke, schöne Grüße']);
  const apart = await makeChat(['my order? cancel it', 'cancel', 'my order']);
  const ticket = await desk.make({ subject: 'Cancel my order', body: 'x' });
  await desk.make({ subject: 'My order', body: 'Cancel it' });
  const visitor = await makeVisitor('user_7', 'Order Cancel');
  const named = await makeChat(['Good morning'], visitor);
  await readSite(ctx);
  expect(await found('cancel my order')).toHaveLength(4);
  for (const q of ['"cancel my order"', '„Cancel my“ order', 'please "my order" "cancel my"'])
    expect((await found(q)).includes(said.session), q).toBe(true);
  expect(await found('"cancel my order"')).toEqual([ticket.id, said.session]);
  expect(await found('"schone grusse"')).toEqual([said.session]);
  expect(await found('"order cancel"')).toEqual([named.session, apart.session]);
  expect(await found('"orders"')).toEqual([]);
  for (const q of ['"', '""', '"@" "', '"cancel my'.padEnd(200, '"')]) await find(q);
  const [first] = (await find('"my order" cancel')).items.filter((item) => nameOf(item) === apart.session);
  expect(first?.found).toMatchObject({ at: 1 });
  const bulk = { search: { q: '"cancel my order"' } };
  expect(await countTarget(ctx, bulk)).toBe(2);
});

test('a phrase is found even if newer parts of a long chat contain the words separately, page by page', async () => {
  const chat = await makeChat([]);
  await sql`
    insert into messages (site_id, conversation_id, seq, client_id, sender, text)
    select ${ctx.site.id}, ${chat.id}, n, gen_random_uuid(), 'visitor',
      case n when 50 then 'a blue teapot' else 'teapot, not blue' end
    from generate_series(1, 350) n`.execute(ctx.db);
  await sql`update conversations set last_seq = 350 where id = ${chat.id}`.execute(ctx.db);
  await desk.make({ subject: 'The blue teapot', body: 'x' });
  await sql`
    insert into tickets (site_id, subject, description, requester_id)
    select site_id, 'A teapot in blue', 'x', requester_id from tickets, generate_series(1, 230)
    where site_id = ${ctx.site.id}`.execute(ctx.db);
  await sql`
    insert into ticket_words (site_id, ticket_id, created_at, words)
    select t.site_id, t.id, t.created_at, w.words from tickets t, ticket_words w
    where t.site_id = ${ctx.site.id} and w.site_id = t.site_id
    on conflict do nothing`.execute(ctx.db);
  await sql`
    update tickets set updated_at = now() + interval '1 hour' where site_id = ${ctx.site.id} and subject like 'A%'`.execute(
    ctx.db,
  );
  await readSite(ctx);
  const names: (string | number)[] = [];
  let [cursor, pages]: [string | null, number] = [null, 0];
  do {
    const page = await find('"blue teapot"', { limit: 10, ...(cursor === null ? {} : { cursor }) });
    names.push(...page.items.map(nameOf));
    cursor = page.next;
    pages += 1;
  } while (cursor !== null);
  expect(names).toHaveLength(2);
  expect(names).toContain(chat.session);
  expect(pages).toBeGreaterThan(2);
});

test('a word in the middle of a long chat is found, once, with its place', async () => {
  const chat = await makeChat([]);
  await sql`
    insert into messages (site_id, conversation_id, seq, client_id, sender, text)
    select ${ctx.site.id}, ${chat.id}, n, gen_random_uuid(), 'visitor',
      case n when 333 then 'the Krakatau edition' else 'ordinary words ' || n end
    from generate_series(1, 700) n`.execute(ctx.db);
  await sql`update conversations set last_seq = 700 where id = ${chat.id}`.execute(ctx.db);
  await readSite(ctx);
  const { items } = await find('krakatau');
  expect(items.map(nameOf)).toEqual([chat.session]);
  expect(items[0]?.found).toMatchObject({ in: 'message', at: 333 });
  expect(await found('ordinary words')).toEqual([chat.session]);
  expect(await found('words 699')).toEqual([chat.session]);
});

test('tickets are found with chats, by subject, text, replies and notes, the latest activity first', async () => {
  const old = await makeChat(['The refund of the parrot']);
  const ticket = await desk.make({ subject: 'Refund', body: 'For a parrot' });
  const other = await desk.make({ subject: 'Else', body: 'Something' });
  await desk.reply(other.id, { type: 'note', body: 'refund, says the parrot' });
  const chat = await makeChat(['A parrot', 'refund?']);
  await readSite(ctx);
  const { items } = await find('parrot refund');
  expect(items.map(nameOf)).toEqual([chat.session, other.id, ticket.id, old.session]);
  expect(items.map((item) => item.found?.in)).toEqual(['message', 'note', 'subject', 'message']);
  expect(excerptOf(items[1])).toBe('[refund], says the [parrot]');
});

test('a chat is found by its visitor’s name, and not after the visitor was erased', async () => {
  const visitor = await makeVisitor('user_9', 'Mira Okafor');
  const chat = await makeChat(['Good morning'], visitor);
  await readSite(ctx);
  const { items } = await find('Okafor');
  expect(items).toMatchObject([{ kind: 'chat', session: { session_id: chat.session }, found: null }]);
  await eraseVisitor(ctx, 'user_9');
  expect(await found('Okafor')).toEqual([]);
  expect(await found('morning')).toEqual([chat.session]);
});

test('nothing is found across sites, and nothing of a deleted chat', async () => {
  const other = (await openDesk(ground)).ctx;
  const [ours, theirs] = [await makeChat(['a walrus']), await makeChat(['a walrus'], undefined, other)];
  await Promise.all([readSite(ctx), readSite(other)]);
  expect(await found('walrus')).toEqual([ours.session]);
  expect(await found('walrus', {}, other)).toEqual([theirs.session]);
  await ctx.transaction((tx) => deleteChats(tx, [ours.id]));
  expect(await found('walrus')).toEqual([]);
  const { rows } = await sql`select from message_search_chunks where site_id = ${ctx.site.id}`.execute(
    ctx.db,
  );
  expect(rows).toHaveLength(0);
});

test('filters combine with words: tag and agent for both, status for tickets alone; bulk changes accept the same', async () => {
  const chat = await makeChat(['the octopus']);
  const plain = await makeChat(['the octopus']);
  const ticket = await desk.make({ subject: 'An octopus', tags: ['sea'], assignee_id: desk.ben.id });
  const [tag] = await ensureTags(ctx, ['sea']);
  await sql`insert into conversation_tags (site_id, conversation_id, tag_id)
    values (${ctx.site.id}, ${chat.id}, ${tag})`.execute(ctx.db);
  await sql`update conversations set agent_id = ${desk.ben.id} where id = ${plain.id}`.execute(ctx.db);
  await readSite(ctx);
  const filters: [object, (string | number)[]][] = [
    [{}, [ticket.id, plain.session, chat.session]],
    [{ tag: 'sea' }, [ticket.id, chat.session]],
    [{ assignee_id: desk.ben.id }, [ticket.id, plain.session]],
    [{ assignee_id: 'none' }, [chat.session]],
    [{ tag: 'sea', assignee_id: desk.ben.id }, [ticket.id]],
    [{ status: 'open' }, [ticket.id]],
    [{ tag: 'no such tag' }, []],
  ];
  for (const [filter, wanted] of filters) {
    expect(await found('octopus', filter), JSON.stringify(filter)).toEqual(wanted);
    expect(await countTarget(ctx, { search: { q: 'octopus', ...filter } })).toBe(wanted.length);
  }
});

test('pages have everything once, even if messages arrive meanwhile', async () => {
  const visitor = await makeVisitor('user_1');
  const wanted: (string | number)[] = [];
  for (let n = 0; n < 7; n++) {
    wanted.unshift((await makeChat([`zebra ${n}`], visitor)).session);
    wanted.unshift((await desk.make({ subject: `zebra ${n}` })).id);
  }
  await readSite(ctx);
  const seen: (string | number)[] = [];
  let cursor: string | null = null;
  do {
    const page = await find('zebra', { limit: 3, ...(cursor ? { cursor } : {}) });
    seen.push(...page.items.map(nameOf));
    cursor = page.next;
    await makeChat(['a late zebra'], visitor);
    await readSite(ctx);
  } while (cursor);
  expect(seen).toEqual(wanted);
});

test('a message that is committed after later ones is found too', async () => {
  const [early, late] = [await makeChat([]), await makeChat([])];
  const slow = new pg.Client({ connectionString: ground.url });
  await slow.connect();
  await slow.query('begin');
  await slow.query('select from conversations where id = $1 for update', [early.id]);
  await slow.query(
    `insert into messages (site_id, conversation_id, seq, client_id, sender, text)
     values ($1, $2, 1, gen_random_uuid(), 'visitor', 'a slow albatross')`,
    [ctx.site.id, early.id],
  );
  await say(late.session, 'a quick albatross');
  for (let turn = 0; turn < 3; turn++) await readSite(ctx);
  expect(await found('albatross')).toEqual([late.session]);
  await slow.query('commit');
  await slow.end();
  for (let turn = 0; turn < 2; turn++) await readSite(ctx);
  expect((await found('albatross')).toSorted()).toEqual([early.session, late.session].toSorted());
  // Open transactions of other databases of this PostgreSQL delay the end too.
  await until(async () => {
    await readSite(ctx);
    const due = await findDue(chatWordClock, ctx.db, new Date(), 1_000);
    return due.every(({ siteId }) => siteId !== ctx.site.id);
  });
});

test('two processes at once read everything, and nothing twice', async () => {
  const second = openDatabase(ground.url, { max: 3 });
  const other = ground.contextOf(ctx.site.id, { db: second.db });
  const chats = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      makeChat(Array.from({ length: 30 }, (_, at) => `pelican ${n} ${at}`)),
    ),
  );
  await Promise.all([readSite(ctx), readSite(other), readSite(ctx), readSite(other)]);
  await readSite(ctx);
  expect(await found('pelican 29')).toHaveLength(chats.length);
  const { rows } = await sql<{ entries: number }>`
    select entries from message_search_chunks where site_id = ${ctx.site.id}`.execute(ctx.db);
  expect(rows.map(({ entries }) => entries)).toEqual(chats.map(() => 30));
  await second.close();
});

test('chats of an imported archive are indexed from the newest on, however many', async () => {
  const chats = await Promise.all(Array.from({ length: 120 }, () => makeChat(['an ibis'])));
  await readSite(ctx);
  await sql`delete from message_search_chunks where site_id = ${ctx.site.id}`.execute(ctx.db);
  await readAllChats(ctx);
  const isDue = async () =>
    (await findDue(chatWordClock, ctx.db, new Date(), 1_000)).some(({ siteId }) => siteId === ctx.site.id);
  expect(await isDue()).toBe(true);
  for (let turn = 0; turn < 10 && (await isDue()); turn++) await readSite(ctx);
  expect(await found('ibis', { limit: 200 })).toHaveLength(chats.length);
});

test('hostile text is text, and is found up to the limit', async () => {
  const words = Array.from({ length: 300 }, (_, at) => `w${at}x`.repeat(3));
  const chat = await makeChat([]);
  for (let round = 0; round < 12; round++)
    await say(
      chat.session,
      words
        .map((word) => `${word}${round}`)
        .join(' ')
        .slice(0, 4_000),
    );
  await say(chat.session, "<img src=x onerror=alert(1)> ' \\ : & | ! ( 退款");
  await readSite(ctx);
  expect(await found("onerror ' \\ : & | ! (")).toEqual([chat.session]);
  expect(await found('退款')).toEqual([chat.session]);
  expect(await found(`${words[0]}0`)).toEqual([chat.session]);
  expect(await found(`${words[10]}11`)).toEqual([chat.session]);
});

test('a queue continues after its page, even if a ticket of it is deleted or changed while the page is read', async () => {
  const ids: number[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await desk.make()).id);
  const [, second = 0, third = 0] = ids;
  let isFirst = true;
  const between: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (isFirst) {
        isFirst = false;
        await ctx.db.deleteFrom('tickets').where('id', '=', third).execute();
        await desk.change(second, { priority: 'high' });
      }
      return result;
    },
  };
  const at = ground.contextOf(ctx.site.id, { actor: ctx.actor, db: ctx.db.withPlugin(between) });
  const list = async (on: SiteContext, cursor?: string | null) => {
    const page = await listQueueTickets(
      on,
      contract['inbox.tickets'].input.parse({ queue: 'open', limit: 2, ...(cursor && { cursor }) }),
    );
    return { ids: page.items.map(({ id }) => id), next: page.next_cursor };
  };
  const first = await list(at);
  expect(first.ids).toEqual([ids[0], second]);
  expect((await list(ctx, first.next)).ids).toEqual(ids.slice(3));
});
