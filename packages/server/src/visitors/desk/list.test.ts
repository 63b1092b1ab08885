import { contract, type InputOf, type ListedVisitor } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { useGround } from '../../../test/ground.ts';
import { csvRecords } from '../../base/csv.ts';
import type { SiteContext } from '../../core/context.ts';
import { trackEvent } from '../events/track.ts';
import { listFields } from '../fields.ts';
import { upsertVisitor } from '../visitors.ts';
import { exportVisitors } from './export.ts';
import { listAtDesk } from './list.ts';

const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const HOUR_MS = 3_600_000;
const upsert = (input: InputOf<'visitors.upsert'>, hoursAgo = 0) =>
  upsertVisitor(
    ground.contextOf(ctx.site.id, { now: () => new Date(Date.now() - hoursAgo * HOUR_MS) }),
    contract['visitors.upsert'].input.parse(input),
  );
const list = (input: InputOf<'visitors.list'> = {}, at = ctx) =>
  listAtDesk(at, contract['visitors.list'].input.parse(input));
/** All pages, however many of them are empty. */
async function all(input: InputOf<'visitors.list'> = {}): Promise<ListedVisitor[]> {
  const found: ListedVisitor[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...input, ...(cursor ? { cursor } : {}) });
    found.push(...page.items);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return found;
}
const keys = async (input: InputOf<'visitors.list'> = {}) => (await all(input)).map(({ key }) => key);

test('visitors are listed by when they were last seen, within the hour too, each once over all pages', async () => {
  await upsert({ key: 'old' }, 30);
  await upsert({ key: 'new' }, 0.01);
  await upsert({ key: 'newest' });
  await upsert({ key: 'middle' }, 5);
  const order = ['newest', 'new', 'middle', 'old'];
  for (const limit of [1, 2, 3, 50]) {
    expect(await keys({ limit })).toEqual(order);
    expect(await keys({ limit, sort: 'last_seen' })).toEqual([...order].reverse());
    expect(await keys({ limit, sort: 'created' })).toEqual(['old', 'new', 'newest', 'middle']);
  }
});

test('each filter keeps the visitors that match', async () => {
  await upsert({ key: 'anon_1', email: 'ann@example.com' }, 50);
  await upsert({ key: 'u1', name: 'Ben', plan: 'Pro' });
  await upsert({ key: 'u2', plan: 'free', seats: 3 });
  const db = ctx.db.updateTable('visitors').where('site_id', '=', ctx.site.id);
  await db.set({ verified_at: new Date() }).where('key', '=', 'u1').execute();
  await db.set({ blocked_at: new Date() }).where('key', '=', 'u2').execute();
  const yesterday = new Date(Date.now() - 24 * HOUR_MS).toISOString();
  const cases: [InputOf<'visitors.list'>, string[]][] = [
    [{ identity: 'anonymous' }, ['anon_1']],
    [{ identity: 'identified' }, ['u1', 'u2']],
    [{ verified: true }, ['u1']],
    [{ verified: false, blocked: false }, ['anon_1']],
    [{ blocked: true }, ['u2']],
    [{ has_email: true }, ['anon_1']],
    [{ last_seen_until: yesterday }, ['anon_1']],
    [{ first_seen_since: yesterday, has_email: false }, ['u1', 'u2']],
    [{ attribute: { name: 'plan' } }, ['u1', 'u2']],
    [{ attribute: { name: 'plan', value: 'pro' } }, ['u1']],
    [{ attribute: { name: 'seats', value: '3' } }, ['u2']],
    [{ attribute: { name: 'nothing' } }, []],
    [{ q: 'ben' }, ['u1']],
    [{ q: 'ben', blocked: true }, []],
  ];
  for (const [input, expected] of cases)
    expect([input, (await keys({ limit: 1, ...input })).sort()]).toEqual([input, expected]);
});

test('if a filter excludes many, a page reads some, and the next continues', async () => {
  await sql`
    insert into visitors (site_id, key, email, last_seen_at)
    select ${ctx.site.id}, 'user_' || n, case when n = 12000 then 'ann@example.com' end, now() - n * interval '1 s'
    from generate_series(1, 12000) n`.execute(ctx.db);
  const first = await list({ has_email: true });
  expect(first.items).toEqual([]);
  expect(first.next_cursor).not.toBeNull();
  expect(await keys({ has_email: true })).toEqual(['user_12000']);
});

test('another site’s visitors are on no list, and its segment is unknown', async () => {
  const other = await ground.makeSite();
  await upsert({ key: 'u1' });
  expect((await list({}, other)).items).toEqual([]);
  await expect(list({ segment: 4711 })).rejects.toMatchObject({ code: 'not_found' });
});

test('an export has a line for each visitor in all its parts, and no cell that a spreadsheet would run', async () => {
  await sql`
    insert into visitors (site_id, key, name, attributes)
    select ${ctx.site.id}, 'user_' || n, '=cmd()', '{"plan": "+1", "tags": ["a", "b"]}' from generate_series(1, 2500) n`.execute(
    ctx.db,
  );
  let text = '';
  let after: string | undefined;
  do {
    const input = contract['visitors.export'].input.parse({ columns: ['plan', 'tags'], after });
    const part = await exportVisitors(ctx, input);
    text += part.text;
    after = part.next ?? undefined;
  } while (after);
  const [head, ...lines] = [...csvRecords(text)].map(({ cells }) => cells);
  expect(head?.slice(-2)).toEqual(['plan', 'tags']);
  expect(new Set(lines.map(([key]) => key)).size).toBe(2500);
  expect(lines[0]).toMatchObject({ 1: "'=cmd()", 9: "'+1", 10: '["a","b"]' });
});

test('names of attributes and events are the reported ones, with the kinds and frequent values of attributes', async () => {
  for (const key of ['a', 'b', 'c']) await upsert({ key, plan: key === 'c' ? 'free' : 'pro', seats: 3 });
  await trackEvent(ctx, { key: 'a', name: 'order_placed' });
  expect(await listFields(ctx)).toEqual({
    attributes: [
      { name: 'plan', kinds: ['text'], values: ['pro'] },
      { name: 'seats', kinds: ['number'], values: ['3'] },
    ],
    events: ['order_placed'],
  });
});
