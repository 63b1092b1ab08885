import { contract, type InputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import { noteStatements, planFaults, type Sent } from '../../test/plan-reading.ts';
import type { SiteContext } from '../core/context.ts';
import { openDatabase } from '../db/database.ts';
import { findVisitors, upsertVisitor } from './visitors.ts';

const ground = useGround();

async function list(ctx: SiteContext, input: InputOf<'visitors.find'>) {
  const found = await findVisitors(ctx, contract['visitors.find'].input.parse(input));
  if (!('items' in found)) throw new Error('not a list');
  return { keys: found.items.map(({ key }) => key), next: found.next_cursor };
}

describe('a search', () => {
  let ctx: SiteContext;
  beforeEach(async () => {
    ctx = await ground.makeSite();
    const people: [string, string, string][] = [
      ['u1', 'Zoë Müller', 'zoe@müll.example'],
      ['u2', 'Ben Okafor', 'ben.okafor@shop.example'],
      ['u3', '山田 太郎', 'taro@shop.example'],
      ['u4', 'Дмитрий', 'dima@shop.example'],
      ["u5'; drop table visitors; --", "O'Brien 100%", 'x_y@shop.example'],
    ];
    for (const [key, name, email] of people) {
      await upsertVisitor(ctx, contract['visitors.upsert'].input.parse({ key, name, email }));
    }
  });

  test.each([
    ['a part of a name', 'kafo', ['u2']],
    ['letters without their marks', 'muller', ['u1']],
    ['marks that are not there', 'Ökafor', ['u2']],
    ['a part of an address', 'for@shop', ['u2']],
    ['any writing', '太郎', ['u3']],
    ['any writing, whatever its case', 'дмитр', ['u4']],
    ['one letter that a name begins with', 'z', ['u1']],
    ['two letters that a surname begins with', 'ok', ['u2']],
    ['no two letters in the middle of a name', 'ka', []],
    ['one slip', 'okafro', ['u2']],
    ['one wrong letter', 'okefor', ['u2']],
    ['one slip in any writing', 'дмитрей', ['u4']],
    ['one slip beside a word that is right', 'ben okfor', ['u2']],
    ['no slip beside a word that is wrong', 'zoe okfor', []],
    ['two slips in a long word', 'muellr', []],
    ['a slip in an address', 'taro@shpo.example', ['u3']],
    ['wildcards as themselves', '100%', ["u5'; drop table visitors; --"]],
    ['a wildcard alone as itself', '%', ["u5'; drop table visitors; --"]],
    ['an underscore as itself', 'x_', ["u5'; drop table visitors; --"]],
    ['a quote as itself', "o'b", ["u5'; drop table visitors; --"]],
    ['a backslash as itself', '\\', []],
    ['no key with another number', 'u6', []],
  ])('finds %s', async (_, q, keys) => {
    expect((await list(ctx, { q })).keys).toEqual(keys);
  });

  test('pages approximate matches like exact ones', async () => {
    for (const key of ['a1', 'a2', 'a3', 'a4', 'a5']) await upsertVisitor(ctx, { key, name: 'Annabel' });
    for (const q of ['annabel', 'anabel']) {
      const first = await list(ctx, { q, limit: 2 });
      const second = await list(ctx, { q, limit: 2, cursor: first.next ?? '' });
      const third = await list(ctx, { q, limit: 2, cursor: second.next ?? '' });
      expect([first.keys, second.keys, third.keys]).toEqual([['a5', 'a4'], ['a3', 'a2'], ['a1']]);
      expect(third.next).toBeNull();
    }
  });

  test('finds on all pages only those with the fewest mistyped words, and the fewest typos in each', async () => {
    const name = (at: number): string => (at % 2 === 0 ? 'Rosalind Thornberg' : 'Rosalint Thornburg');
    for (let at = 0; at < 6; at++) await upsertVisitor(ctx, { key: `r${at}`, name: name(at) });
    const pages = async (q: string): Promise<string[]> => {
      const first = await list(ctx, { q, limit: 2 });
      const second = first.next === null ? undefined : await list(ctx, { q, limit: 2, cursor: first.next });
      return [...first.keys, ...(second?.keys ?? [])];
    };
    expect(await pages('rosalind thornbarg')).toEqual(['r4', 'r2', 'r0']);
    expect(await pages('rosalimd thornbarg')).toEqual(['r4', 'r2', 'r0']);
    expect(await pages('rosalims thornbarg')).toEqual(['r5', 'r4', 'r3', 'r2']);
  });

  test('finds nobody of another site', async () => {
    const other = await ground.makeSite();
    for (const q of ['okafor', 'okafro', 'b', '%']) expect((await list(other, { q })).keys).toEqual([]);
  });
});

describe('with many visitors', () => {
  const COUNT = 30_000;
  /** Too old to be among the newest, which are looked at one by one. */
  const OLD: [string, string, string][] = [
    ['o1', 'Rosalind Thornberg', 'rosalind.thornberg1987@shop.example'],
    ['o2', 'Zoë Mü\\300ller-Łukasiewicz', 'zoë@müll.example'],
    ['o3', 'Дмитрий Достоевский', 'dima@книги.example'],
    ['o4', '𐐨𐐩𐐪𐐫𐐬 100%_a', 'deseret+list@shop.example'],
    ['o5', `${'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(3)}Quirinus`, 'q@shop.example'],
    ['o6', 'Fyodor Dostoevskij', 'org1987042_x9@shop.example'],
  ];
  let site: SiteContext;
  let small: SiteContext;
  let segment: number;
  beforeAll(async () => {
    site = await ground.makeSite();
    small = await ground.makeSite();
    for (const [key, name, email] of OLD)
      for (const ctx of [site, small]) await upsertVisitor(ctx, { key, name, email });
    await sql`
      insert into visitors (site_id, key, name, email)
      select ${site.site.id}, 'user_' || n, 'Ann ' || substr(md5(n::text), 1, 8), md5(n::text) || '@example.com'
      from generate_series(1, ${COUNT}) n`.execute(site.db);
    await sql`
      insert into visitors (site_id, key, name)
      select ${small.site.id}, 'user_' || n, 'Ann ' || substr(md5(n::text), 1, 8) from generate_series(1, 200) n`.execute(
      site.db,
    );
    await sql`
      update visitors set name = 'Ben Okafor', email = 'ben@rare.example'
      where site_id = ${site.site.id} and key in ('user_7', 'user_15000')`.execute(site.db);
    const { rows } = await sql<{ id: number }>`
      insert into segments (site_id, name, rule, filled_at)
      values (${site.site.id}, 'Some', '{"all":[{"attribute":"x","op":"unset"}]}', now()) returning id`.execute(
      site.db,
    );
    segment = rows[0]?.id ?? 0;
    await sql`
      insert into segment_members (site_id, segment_id, visitor_id, entered_at)
      select site_id, ${segment}, id, now() from visitors where site_id = ${site.site.id} and id % 3 = 0`.execute(
      site.db,
    );
    await sql`vacuum analyze`.execute(site.db);
  });

  test.each([
    ['one slip', 'thornbarg', ['o1']],
    ['one slip in the first letter', 'yhornberg', ['o1']],
    ['two letters swapped', 'thornbegr', ['o1']],
    ['a letter too few', 'thornerg', ['o1']],
    ['a letter too many', 'thornnberg', ['o1']],
    ['two slips in a long word', 'tharnbrg', ['o1']],
    ['two wrong letters', 'tkornbexg', ['o1']],
    ['no three slips', 'tkormbexg', []],
    ['no two slips in a short word', 'quirnas', []],
    ['one slip in each word', 'rosalynd thornbarg', ['o1']],
    ['two slips beside a word that is right', 'rosalind tharnbrg', ['o1']],
    ['nobody by a word that is wrong', 'rosalind featherstone', []],
    ['one slip beside the beginning of a word', 'thornbarg ro', ['o1']],
    ['an address', 'rosalind.thornberg1987@shop.example', ['o1']],
    ['a part of an address', 'd.thornberg1987@sh', ['o1']],
    ['no address that goes on differently', 'rosalind.thornberg1987@shop.exampleful', []],
    ['a part with a long number', 'g1987042_x9', ['o6']],
    ['two slips beside a long number', 'dastoevskji 1987042', ['o6']],
    ['no three slips beside a long number', 'daztoevskji 1987042', []],
    ['nothing by its number alone', 'h1987042_x9', []],
    ['two slips in a word, the first of them a common letter', 'dosteavskij', ['o6']],
    ['a slip in an address', 'rosalind.thornbrg1987@shop.example', ['o1']],
    ['no other number in an address', 'rosalind.thornbrg1988@shop.example', []],
    ['a slip after letters with marks and a backslash', 'łukasiewcz', ['o2']],
    ['letters between punctuation, in any writing', '@мулл.', []],
    ['an address with marks', 'zoe@mull.example', ['o2']],
    ['one slip in any writing', 'достаевский', ['o3']],
    ['two slips in any writing', 'дастаевский', ['o3']],
    ['a part of an address in any writing', 'a@книги.ex', ['o3']],
    ['one slip in letters outside the basic plane', '𐐨𐐩𐐪𐐪𐐬', ['o4']],
    ['wildcards as themselves', 'o%', []],
    ['a whole word at the end of a long name', ' z quirinus q@shop.', ['o5']],
    ['a slip after many short words', 'quirimus', ['o5']],
  ])('finds %s', async (_, q, keys) => {
    expect((await list(site, { q })).keys).toEqual(keys);
  });

  test('finds nobody by many long words, within the time of a statement', async () => {
    const q = 'дастаевскийн'.repeat(20).match(/.{1,24}/g) ?? [];
    for (const text of [
      q.join(' ').slice(0, 200),
      'featherstonehaugh '.repeat(11),
      '%_\\ '.repeat(40),
      'x'.repeat(200),
    ])
      expect((await list(site, { q: text })).keys).toEqual([]);
  });

  /** Runs a search, and then something for each of its statements, in the same kind of transaction. */
  async function eachOf<T>(
    { site: { id } }: SiteContext,
    input: InputOf<'visitors.find'>,
    look: (client: pg.ClientBase, sent: Sent) => Promise<T[]>,
  ): Promise<T[]> {
    const own = openDatabase(ground.url, { max: 1 });
    try {
      const sent = noteStatements(own.pool);
      await list(ground.contextOf(id, { db: own.db }), input);
      const client = await own.pool.connect();
      const seen: T[] = [];
      for (const one of [...sent]) {
        if (/^(begin|commit)$/.test(one.text) || /set_config/.test(one.text))
          await client.query(one.text, one.values);
        else seen.push(...(await look(client, one)));
      }
      client.release();
      return seen;
    } finally {
      await own.close();
    }
  }

  /** Of one scan of the newest; results of the index of texts are fewer, except for a guess. */
  const bounds = { small: new Set(['segments', 'sites']), sorted: 6_000, read: 6_000 };
  test.each<[string, () => InputOf<'visitors.find'>]>([
    ['all', () => ({})],
    ['all, oldest first', () => ({ order: 'asc' })],
    ['an address', () => ({ email: 'BEN@rare.example' })],
    ['an address that nobody has', () => ({ email: 'nobody@rare.example' })],
    ['a segment', () => ({ segment })],
    ['a frequent text', () => ({ q: 'example' })],
    ['a rare text', () => ({ q: 'okafor' })],
    ['a text of nobody', () => ({ q: 'xyzzy' })],
    ['a rare text of a segment', () => ({ q: 'okafor', segment })],
    ['one letter', () => ({ q: 'a' })],
    ['two letters of nobody', () => ({ q: 'zq' })],
    ['a slip', () => ({ q: 'okafro' })],
    ['a frequent slip', () => ({ q: 'exmaple' })],
    ['a slip beside a word that is right', () => ({ q: 'ben okafro' })],
    ['two slips', () => ({ q: 'okfoor ben thornbxxg' })],
    ['a whole address', () => ({ q: 'ben.x@rare.example' })],
    ['an address and a text', () => ({ email: 'ben@rare.example', q: 'oka' })],
  ])('the list of %s uses an index', async (_, input) => {
    const faults = await eachOf(site, input(), (client, sent) => planFaults(client, sent, bounds));
    expect(faults).toEqual([]);
  });

  test.each([
    ['a slip', 'thornbarg'],
    ['two slips', 'tharnbrg'],
    ['an address', 'rosalind.thornberg@shop.example'],
  ])('of a small site, %s is looked up in one index only', async (_, q) => {
    const indexes = await eachOf(small, { q }, async (client, { text, values }) => {
      if (!text.includes('visitor_typo_keys')) return [];
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values);
      return rows.flatMap((row) => / on (visitors_\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
    });
    expect([...new Set(indexes)]).toEqual(['visitors_typo_keys']);
  });
});
