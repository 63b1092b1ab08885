import { contract, type InputOf, TICKET_SORTS } from '@foyer/protocol';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { type Desk, openDesk } from '../../test/fixtures/tickets.ts';
import { useGround } from '../../test/ground.ts';
import { explainGeneric } from '../../test/plan-reading.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { encodeCursor } from '../db/keyset.ts';
import type { Tables } from '../db/tables.generated.ts';
import { type ListSort, listTicketRows, listTickets } from './list.ts';

/** The mark of the default order in a cursor. */
const NEWEST_FIRST = TICKET_SORTS.indexOf('-created');

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('a filter', () => {
  it('selects by status, priority, assignee, tag, requester and time, and by all of them at once', async () => {
    const one = await desk.make({ tags: ['Parcel'], priority: 'high' }, desk.as({ now: at(1) }));
    const two = await desk.make({ requester: { key: 'user_2' } }, desk.as({ now: at(2) }));
    await desk.change(two.id, { assignee_id: desk.ben.id }, desk.as({ now: at(5) }));
    const cases: [InputOf<'tickets.list'>, number[]][] = [
      [{}, [two.id, one.id]],
      [{ order: 'asc' }, [one.id, two.id]],
      [{ status: 'open' }, [two.id]],
      [{ priority: 'high' }, [one.id]],
      [{ assignee_id: desk.ben.id }, [two.id]],
      [{ assignee_id: 'none' }, [one.id]],
      [{ tag: 'pARCEL' }, [one.id]],
      [{ requester_key: 'user_2' }, [two.id]],
      [{ since: at(2).toISOString() }, [two.id]],
      [{ updated_since: at(3).toISOString() }, [two.id]],
      [{ updated_since: at(1).toISOString() }, [two.id, one.id]],
      [
        { tag: 'parcel', priority: 'high', status: 'new', assignee_id: 'none', requester_key: 'user_1' },
        [one.id],
      ],
      [{ tag: 'parcel', status: 'open' }, []],
      // An unknown name matches nothing.
      [{ tag: 'unknown' }, []],
      [{ requester_key: 'nobody' }, []],
      [{ assignee_id: 2 ** 53 - 1 }, []],
    ];
    for (const [input, ids] of cases) expect(await desk.list(input), JSON.stringify(input)).toEqual(ids);
  });

  it('finds nothing of another site by names that both have', async () => {
    const other = await openDesk(ground);
    await other.make({ tags: ['parcel'] });
    const { id } = await desk.make({ tags: ['parcel'] });
    for (const input of [
      {},
      { tag: 'parcel' },
      { requester_key: 'user_1' },
      { q: 'parcel' },
      { status: 'new' as const },
    ])
      expect(await desk.list(input)).toEqual([id]);
    expect(await desk.list({ assignee_id: other.ben.id })).toEqual([]);
    await expect(desk.list({ id: (await other.list())[0] })).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(["'; drop table tickets; --", '%', '_', '\\', "' or '1'='1", '$1', '{}', ')'])(
    'takes %j as a name like any other',
    async (odd) => {
      await desk.make();
      const { id } = await desk.make({ tags: [odd], requester: { key: odd } });
      expect(await desk.list({ tag: odd })).toEqual([id]);
      expect(await desk.list({ requester_key: odd })).toEqual([id]);
    },
  );
});

/** Thirty tickets, several created and changed in the same millisecond, of all priorities. */
async function thirty(): Promise<number[]> {
  const { id } = await desk.make({}, desk.as({ now: at(0) }));
  const { site } = desk.ctx;
  await sql`
    insert into tickets (site_id, subject, description, requester_id, priority, created_at, updated_at)
    select t.site_id, 'copy', 'text', t.requester_id, (array['low', 'normal', 'high', 'urgent'])[1 + n * 7 % 4],
      ${at(0)}::timestamptz + (n / 4) * interval '1 ms', ${at(0)}::timestamptz + (n * 7 % 29 / 3) * interval '1 s'
    from tickets t, generate_series(1, 29) n where t.site_id = ${site.id} and t.id = ${id}`.execute(
    desk.ctx.db,
  );
  await sql`
    update tickets set sla = '{"policy": {"id": 1, "name": "Standard"}}',
      sla_due_at = ${at(0)}::timestamptz + (id * 7 % 29 / 3) * interval '1 s'
    where site_id = ${site.id}`.execute(desk.ctx.db);
  const rows = await desk.ctx.db.selectFrom('tickets').select('id').where('site_id', '=', site.id).execute();
  return rows.map((row) => row.id);
}

describe('pages', () => {
  it.each([...TICKET_SORTS])(
    'sorted by %s have each ticket once, in order, even while others are added and moved',
    async (sort) => {
      const ids = await thirty();
      const all = contract['tickets.list'].input.parse({ sort, limit: 200 });
      const whole = await listTickets(desk.ctx, all);
      const field = { created: 'created_utc', updated: 'updated_utc', priority: 'priority' }[
        sort.replace('-', '')
      ];
      const rank = ['low', 'normal', 'high', 'urgent'];
      const values = ('items' in whole ? whole.items : []).map((ticket) => {
        if (sort === 'next_due') return ticket.sla?.due_utc ?? '';
        const value = ticket[field as 'priority' | 'created_utc'];
        return field === 'priority' ? String(rank.indexOf(value)) : value;
      });
      expect(values).toEqual(sort.startsWith('-') ? values.toSorted().toReversed() : values.toSorted());

      const seen: number[] = [];
      let cursor: string | undefined;
      do {
        const page = await listTickets(
          desk.ctx,
          contract['tickets.list'].input.parse({ sort, limit: 7, ...(cursor ? { cursor } : {}) }),
        );
        if (!('items' in page)) throw new Error('one ticket');
        seen.push(...page.items.map(({ id }) => id));
        // On the side that has been read already.
        await desk.make({}, desk.as({ now: sort.startsWith('-') ? at(1_000) : at(-1_000) }));
        cursor = page.next_cursor ?? undefined;
      } while (cursor);
      expect(seen.filter((id) => ids.includes(id))).toHaveLength(30);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  it.each([
    ['of another list', encodeCursor([1])],
    ['with a time that is none', encodeCursor([NEWEST_FIRST, 9_007_199_254_740_991, 1])],
    ['of another order', encodeCursor([TICKET_SORTS.indexOf('-updated'), 1, 1])],
    ['of the other direction', encodeCursor([TICKET_SORTS.indexOf('created'), 1, 1])],
    ['of no order', encodeCursor([6, 1, 1])],
    ['that is text', 'x'],
    ['that is SQL', Buffer.from('1.1); drop table tickets').toString('base64url')],
  ])('refuse a cursor %s', async (_what, cursor) => {
    await expect(desk.list({ cursor })).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'cursor' }],
    });
  });

  it('continue from any cursor of their form', async () => {
    await desk.make();
    expect(
      await desk.list({
        sort: '-priority',
        cursor: encodeCursor([TICKET_SORTS.indexOf('-priority'), 9_007_199_254_740_991, 0, 0]),
      }),
    ).toHaveLength(1);
    expect(await desk.list({ cursor: encodeCursor([NEWEST_FIRST, 0, 9_007_199_254_740_991]) })).toEqual([]);
  });
});

test('sort and order are two forms of the same parameter: both at once are refused', () => {
  const { input } = contract['tickets.list'];
  expect(input.safeParse({ sort: 'updated', order: 'asc' }).success).toBe(false);
  expect(input.safeParse({ sort: 'upwards' }).success).toBe(false);
});

const BY_TIME: readonly ListSort[] = ['created', '-created'];

describe('with many tickets', () => {
  const MANY = 30_000;
  let crowd: Desk;
  /** Without time limits: it creates the crowd. */
  let patient: Database;
  afterAll(() => patient.close());
  beforeAll(async () => {
    patient = openDatabase(ground.url, { patient: true });
    crowd = await openDesk(ground);
    const { id, tags } = await crowd.make({ tags: ['rare', 'common'] });
    expect(tags).toHaveLength(2);
    const { site } = crowd.ctx;
    const other = await openDesk(ground);
    await other.make();
    // As many of another site: an index that doesn't begin with the site would have to skip them.
    for (const [siteId, share] of [
      [site.id, MANY],
      [other.ctx.site.id, MANY],
    ] as const) {
      await sql`
        insert into tickets (site_id, subject, description, requester_id, priority, status, assignee_id, snoozed_until,
          created_at, updated_at, solved_at, sla, sla_due_at)
        select t.site_id, 'ticket ' || n, 'text', t.requester_id, (array['low', 'normal', 'high', 'urgent'])[1 + n % 4],
          s.status, case when n % 10 = 0 then a.id end, case when s.status = 'open' and n % 3 = 0 then now() end,
          now() - n * interval '1 min', now() - (n * 7919 % ${share}) * interval '1 min',
          case when s.status in ('solved', 'closed') then now() end,
          jsonb_build_object('resolution', jsonb_build_object('warned', n % 50 = 3, 'due', '', 'done', null, 'missed', null)),
          case when s.status not in ('solved', 'closed') then now() + (n - 100) * interval '1 min' end
        from (select * from tickets where site_id = ${siteId} order by id limit 1) t
        join lateral (select id from agents where site_id = ${siteId} limit 1) a on true,
          generate_series(1, ${share}::int) n,
          lateral (select (array['closed', 'closed', 'solved', 'open', 'pending', 'closed', 'closed', 'hold'])[1 + n % 8] as status) s
      `.execute(patient.db);
    }
    await sql`
      insert into ticket_tags (site_id, ticket_id, tag_id, created_at)
      select t.site_id, t.id, g.id, t.created_at from tickets t
      join tags g on g.site_id = t.site_id and (g.name = 'common' and t.id % 2 = 0 or g.name = 'rare' and t.id % 5000 = 0)
      where t.site_id = ${site.id} and t.id <> ${id}
      on conflict do nothing`.execute(patient.db);
    await sql`
      insert into ticket_words (site_id, ticket_id, created_at, words)
      select t.site_id, t.id, t.created_at, array_to_tsvector(array[t.site_id || ':ticket', t.site_id || ':n' || t.id % 977])
      from tickets t on conflict (site_id, ticket_id) do nothing`.execute(patient.db);
    for (const table of ['tickets', 'ticket_tags', 'ticket_words', 'visitors', 'agents', 'tags'])
      await sql`vacuum analyze ${sql.table(table)}`.execute(patient.db);
  }, 120_000);

  const filters: InputOf<'tickets.list'>[] = [
    {},
    { status: 'open' },
    { status: 'hold', priority: 'urgent' },
    { priority: 'low' },
    { assignee_id: 'none' },
    { tag: 'common' },
    { tag: 'rare' },
    { requester_key: 'user_1' },
    { snoozed: true },
    { q: 'ticket' },
    { q: 'n7' },
    { q: 'tick n12' },
    { since: '2026-01-01' },
    { updated_since: new Date(Date.now() - 3_600_000).toISOString() },
    { due: 'late' },
    { due: 'soon', assignee_id: 'none' },
  ];

  /** The last statement that such a list sends, which reads its page. */
  async function sentFor({
    sort,
    ...input
  }: Omit<InputOf<'tickets.list'>, 'sort'> & { sort?: ListSort | undefined }): Promise<{
    text: string;
    parameters: readonly unknown[];
  }> {
    const sent: { sql: string; parameters: readonly unknown[] }[] = [];
    const db = new Kysely<Tables>({
      dialect: new PostgresDialect({ pool: patient.pool }),
      log: ({ query }) => {
        sent.push(query);
      },
    });
    const { site, actor } = crowd.ctx;
    const ctx = ground.contextOf(site.id, { actor, db });
    await listTicketRows(ctx, { ...contract['tickets.list'].input.parse({ limit: 25, ...input }), sort });
    const { sql: text = '', parameters = [] } = sent.at(-1) ?? {};
    return { text, parameters };
  }

  /** The plan for these values. */
  async function planOf(input: InputOf<'tickets.list'>): Promise<string> {
    const { text, parameters } = await sentFor(input);
    const { rows } = await patient.pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, costs off, timing off, summary off) ${text}`,
      [...parameters],
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  const rowsRead = (plan: string): number =>
    Math.max(...[...plan.matchAll(/on tickets t.*actual rows=(\d+)/g)].map(([, rows]) => Number(rows)));

  it.each(filters)('%j uses indexes in every order, and reads few rows of them', async (filter) => {
    for (const sort of TICKET_SORTS) {
      const plan = await planOf({ ...filter, sort });
      expect(plan, sort).toContain('Index');
      expect(plan, sort).not.toContain('Seq Scan on ticket');
    }
  });

  it.each<InputOf<'tickets.list'>>([
    {},
    { status: 'open' },
    { priority: 'low' },
    { assignee_id: 'none' },
    { requester_key: 'user_1' },
    { tag: 'rare' },
    { snoozed: true },
  ])('%j keeps plans that suit other values, for the list’s page', async (filter) => {
    const onlyMade = filter.tag !== undefined || filter.requester_key !== undefined;
    for (const sort of onlyMade ? BY_TIME : ([...TICKET_SORTS, 'activity', '-activity'] as const)) {
      // Only due tickets have an index of this order, by assignee and by snooze.
      if (sort === 'next_due' && (filter.status || filter.priority)) continue;
      const { text, parameters } = await sentFor({ ...filter, sort });
      expect(text).toContain('/* prepared */');
      const client = await patient.pool.connect();
      try {
        const { rows } = await explainGeneric<{ 'QUERY PLAN': string }>(
          client,
          { text, values: [...parameters] },
          'explain (analyze, costs off, timing off, summary off)',
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan, sort).toContain('$1');
        expect(rowsRead(plan), `${sort}\n${plan}`).toBeLessThanOrEqual(26);
      } finally {
        client.release(true);
      }
    }
  });

  it.each<InputOf<'tickets.list'>>([
    { status: 'hold', priority: 'urgent' },
    { q: 'ticket' },
    { since: '2026-01-01' },
    { updated_since: new Date(Date.now() - 3_600_000).toISOString() },
    { tag: 'rare', status: 'open' },
    { tag: 'rare', sort: '-updated' },
    { requester_key: 'user_1', sort: '-updated' },
  ])('%j is planned each time', async (filter) => {
    expect((await sentFor(filter)).text).not.toContain('/* prepared */');
  });

  it('reads no more for a distant page than for the first', async () => {
    const middle = await ground.db
      .selectFrom('tickets')
      .select(['id', 'created_at'])
      .where('site_id', '=', crowd.ctx.site.id)
      .where('snoozed', '=', false)
      .orderBy('created_at')
      .offset(500)
      .limit(1)
      .executeTakeFirstOrThrow();
    const cursor = encodeCursor([NEWEST_FIRST, middle.created_at.getTime(), middle.id]);
    for (const plan of [await planOf({}), await planOf({ cursor })]) {
      expect(plan).toMatch(/Index (Only )?Scan.*tickets_created/);
      expect(rowsRead(plan)).toBe(26);
    }
  });
});
