import { contract } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { type Desk, openDesk, REQUESTER } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { eraseVisitor } from '../../erasure/erase-visitor.ts';
import { countTarget } from '../../inbox/bulk/changes.ts';
import { searchQuery } from '../../text/search-words.ts';
import { listTickets } from '../list.ts';
import { createView } from '../views/saved-views.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

const find = (q: string) => desk.list({ q });

/** All umbrellas, page by page. */
async function pages(limit: number, q = 'umbr'): Promise<number[]> {
  const seen: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await listTickets(
      desk.ctx,
      contract['tickets.list'].input.parse({ q, limit, ...(cursor && { cursor }) }),
    );
    if (!('items' in page)) throw new Error('not a page');
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return seen;
}

test('a ticket is found by words of its subject, text, replies and notes, by all of them together', async () => {
  const { id } = await desk.make({ subject: 'Broken lantern', body: 'The glass has a crack.' });
  await desk.reply(id, { body: 'We send a replacement.' });
  await desk.reply(id, { type: 'note', body: 'Third time this month' });
  await desk.make({ subject: 'Another lantern' });
  for (const q of [
    'broken',
    'glass',
    'replacement',
    'month',
    'Broken glass replacement month',
    'LANTERN  crack!',
  ])
    expect(await find(q), q).toEqual([id]);
  expect(await find('lantern')).toHaveLength(2);
  expect(await find('lantern umbrella')).toEqual([]);
});

describe('in several languages', () => {
  it.each([
    ['en', 'I was charged twice and want the refunds for both orders', 'refund order', 'charging'],
    [
      'de',
      'Die Rechnungen sind falsch und ich möchte eine Rückerstattung',
      'rechnung',
      'Ruckerstattungen falsche',
    ],
    ['fr', 'Je n’ai pas reçu mes commandes et les livraisons sont en retard', 'commande livraison', 'recu'],
    ['es', 'No he recibido los paquetes y quiero la devolución', 'paquete devolucion', 'devoluciones'],
    ['ru', 'Я не получил посылки и хочу вернуть деньги', 'посылка', 'деньги'],
    ['ja', '注文した商品がまだ届きません', '商品', '注文'],
    ['ar', 'لم يصل الطلب حتى الآن', 'الطلب', 'يصل'],
  ])('%s: other forms of a word and other accents find it', async (_language, body, one, two) => {
    const { id } = await desk.make({ subject: '—', body });
    await desk.make({ subject: 'Something else', body: 'entirely' });
    for (const q of [one, two]) expect(await find(q), q).toEqual([id]);
  });
});

test('the last word may be incomplete, the others are whole', async () => {
  const { id } = await desk.make({ subject: 'Invoice for the umbrella' });
  expect(await find('invoice umbr')).toEqual([id]);
  expect(await find('umbr')).toEqual([id]);
  expect(await find('umbr invoice')).toEqual([]);
  expect(await find('u')).toEqual([]);
});

test('a new subject is found at once, the old one no longer, the rest as before', async () => {
  const { id } = await desk.make({ subject: 'Umbrella', body: 'It leaks.' });
  await desk.reply(id, { body: 'Sorry.' });
  await desk.change(id, { subject: 'Raincoat' });
  expect(await find('umbrella')).toEqual([]);
  for (const q of ['raincoat', 'leaks', 'sorry']) expect(await find(q)).toEqual([id]);
});

test.each([
  "'",
  "''';",
  '\\',
  "\\'",
  ':*',
  'a:*',
  '!refund',
  '(((',
  '<-> & | !',
  "x'; drop table tickets; --",
  '%',
  '\u202e',
  '👩‍👩‍👧',
  '1:2:3',
  `${'&'.repeat(150)}`,
  'ſ ŉ ǰ İ',
])('a query of %j is searched for as words, and finds tickets with them, or nothing', async (q) => {
  await desk.make();
  expect(await find(q)).toEqual([]);
  const { id } = await desk.make({ subject: `about ${q}` });
  const found = await find(`about ${q}`);
  expect(found).toEqual([id]);
});

test('a query without a word finds nothing, a very long one only tickets with all its words', async () => {
  expect(searchQuery(1, '!!! ?')).toBeUndefined();
  const { id } = await desk.make({ body: Array.from({ length: 60 }, (_, n) => `w${n}`).join(' ') });
  expect(await find(Array.from({ length: 40 }, (_, n) => `w${n}`).join(' '))).toEqual([id]);
});

test('a ticket may contain more words than an index row, and accepts replies all the same', async () => {
  const body = (seed: string) =>
    Array.from({ length: 1_200 }, (_, n) => `${seed}${n}${'ы'.repeat(30)}`)
      .join(' ')
      .slice(0, 50_000);
  const { id } = await desk.make({ body: body('a') });
  for (const seed of ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
    await desk.reply(id, { body: body(seed) });
  expect((await desk.get(id)).reply_count).toBe(9);
  expect(await find('a7ыыы')).toEqual([id]);
});

test('results are listed newest first and page by page, however far apart the tickets are', async () => {
  const ids: number[] = [];
  for (let place = 0; place < 6; place++) {
    // Into another bucket, as if others had created that many.
    await sql`select setval(pg_get_serial_sequence('tickets', 'id'),
      (select max(id) from tickets) + ${place % 2 === 0 ? 40_000 : 1})`.execute(desk.ctx.db);
    const now = new Date(Date.UTC(2026, 0, 1 + place));
    ids.unshift((await desk.make({ subject: 'Umbrella' }, desk.as({ now }))).id);
  }
  await desk.change(ids[4] ?? 0, { priority: 'urgent' });
  expect(await find('umbrella')).toEqual(ids);
  expect(await pages(2)).toEqual(ids);
  expect(await desk.list({ q: 'umbrella', order: 'asc' })).toEqual(ids.toReversed());
  expect(await desk.list({ q: 'umbrella', priority: 'urgent', limit: 1 })).toEqual([ids[4]]);
  expect(await desk.list({ q: 'umbrella', since: '2026-01-05' })).toEqual(ids.slice(0, 2));
});

test('imported tickets are listed by when they were created, though they came last', async () => {
  const make = async (year: number, imported = false): Promise<number> => {
    const at = desk.as({ now: new Date(Date.UTC(year, 0, 1)) });
    const { id } = await desk.make({ subject: 'Umbrella' }, at);
    if (imported) await sql`update tickets set imported_at = now() where id = ${id}`.execute(desk.ctx.db);
    return id;
  };
  const live = [await make(2025), await make(2024)];
  const oldest = await make(2018, true);
  // Into another bucket, as if others had created that many.
  await sql`
    select setval(pg_get_serial_sequence('tickets', 'id'), (select max(id) from tickets) + 80_000)`.execute(
    desk.ctx.db,
  );
  const ids = [...live, await make(2020, true), await make(2019, true), oldest];
  expect(await desk.list({ q: 'umbrella', limit: 1 })).toEqual(ids.slice(0, 1));
  expect(await pages(1)).toEqual(ids);
});

test('a phrase is found as it is written, in one text, by a list and by a view, whose count is right', async () => {
  const { id } = await desk.make({ subject: 'Umbrella', body: 'The handle is broken, it leaks.' });
  const answered = await desk.make({ subject: 'Umbrella' });
  await desk.reply(answered.id, { body: 'Is “broken – it” leaking?' });
  await desk.make({ subject: 'Umbrella broken', body: 'It leaks' });
  await desk.make({ subject: 'It is broken', body: 'umbrella' });
  expect(await find('umbrella broken it')).toHaveLength(4);
  const q = 'umbrella "broken it"';
  expect(await find(q)).toEqual([answered.id, id]);
  expect(await find(`${q} leaks`)).toEqual([answered.id, id]);
  expect(await find('"broken it leaks"')).toEqual([id]);
  for (const sort of ['created', '-updated', 'priority'] as const)
    expect((await desk.list({ q, sort })).toSorted(), sort).toEqual([id, answered.id]);
  expect(await pages(1, q)).toEqual([answered.id, id]);
  const input = contract['saved_views.create'].input.parse({ name: 'Leaks', filter: { q } });
  const view = await createView(desk.ctx, input);
  expect(view.count).toBe(2);
  expect(await desk.list({ view: view.id })).toEqual([answered.id, id]);
  expect(await desk.list({ view: view.id, q: '"it leaks"' })).toEqual([id]);
  expect(await countTarget(desk.ctx, { search: { view: view.id } })).toBe(2);
});

test('a phrase that few of the tickets with its words contain is found after all the others', async () => {
  const { id } = await desk.make({ subject: 'A red umbrella' });
  const { id: other } = await desk.make({ subject: 'Umbrella, not red' });
  await sql`
    with made as (
      insert into tickets (site_id, subject, description, requester_id)
      select site_id, subject, description, requester_id from tickets, generate_series(1, 250) where id = ${other}
      returning site_id, id, created_at
    )
    insert into ticket_words (site_id, ticket_id, created_at, words)
    select made.site_id, made.id, made.created_at, w.words from made, ticket_words w where w.ticket_id = ${other}`.execute(
    desk.ctx.db,
  );
  expect(await pages(50, '"red umbrella"')).toEqual([id]);
});

test('texts of another site are never found, though the words are the same', async () => {
  const other = await openDesk(ground);
  await other.make({ subject: 'Umbrella' });
  expect(await find('umbrella')).toEqual([]);
  // Nor by a query that names the other site.
  for (const q of [`${other.ctx.site.id}:umbrella`, `${other.ctx.site.id} umbrella`])
    expect(await find(q)).toEqual([]);
});

test('an erased requester’s name and address leave text, replies, search and audit log; the ticket stays', async () => {
  const { id } = await desk.make({
    subject: 'Call Ann Secret',
    body: 'I am Ann Secret, ann.secret@example.com.',
    requester: { key: 'user_ann', name: 'Ann Secret', email: 'ann.secret@example.com' },
  });
  const same = await desk.make({ subject: 'Secretary wanted', requester: { key: 'user_other' } });
  await desk.reply(id, { author: REQUESTER, body: 'Write to ANN.SECRET@example.com. Signed, ann secret' });
  await desk.change(id, { subject: 'Ann Secret is waiting, unannounced' });
  expect(await find('secret@example')).toEqual([id]);
  await eraseVisitor(desk.ctx, 'user_ann');

  const { requester, subject, description, replies } = await desk.get(id);
  expect(requester).toEqual({ key: null, name: null, email: null });
  expect([subject, description]).toEqual(['[erased] is waiting, unannounced', 'I am [erased], [erased].']);
  expect(replies).toMatchObject([{ body: 'Write to [erased]. Signed, [erased]', author: { name: '' } }]);
  for (const q of ['ann', 'ann secret', 'secret example']) expect(await find(q), q).toEqual([]);
  expect(await find('waiting')).toEqual([id]);
  expect(await find('secretary')).toEqual([same.id]);
  expect(JSON.stringify(await desk.audit(id))).not.toContain('Ann');
});

test.each([
  'A',
  '(.*)+$',
  '\\',
  'Jo|e',
  '$&',
  "O'Neil",
  '张三',
  'हिन्दी',
  'ก้อง',
  'Jose\u0301',
  '*** (?i)x',
  'a{100000}',
])('a requester named %j is erased as that text and nothing else', async (name) => {
  const body = `Hello, a joe is here. ${name}: it is me, a joe. Anna.`;
  const { id } = await desk.make({ body, requester: { key: 'user_odd', name } });
  await eraseVisitor(desk.ctx, 'user_odd');
  expect((await desk.get(id)).description).toBe('Hello, a joe is here. [erased]: it is me, a joe. Anna.');
});
