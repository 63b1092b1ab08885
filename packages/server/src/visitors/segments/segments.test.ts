import { contract, type SegmentRule } from '@foyer/protocol';
import { type KyselyPlugin, sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { findDue } from '../../../test/find-due.ts';
import { useGround } from '../../../test/ground.ts';
import { holdUp } from '../../../test/waiting.ts';
import type { SiteContext } from '../../core/context.ts';
import { openDatabase } from '../../db/database.ts';
import { eraseVisitor } from '../../erasure/erase-visitor.ts';
import { collect } from '../events/collect.ts';
import { trackEvent } from '../events/track.ts';
import { findVisitors, upsertVisitor } from '../visitors.ts';
import { segmentClock } from './clock.ts';
import { fillSegment } from './fill.ts';
import { createSegment, deleteSegment, getSegment, listSegments, updateSegment } from './segments.ts';

const DAY_MS = 86_400_000;
const ground = useGround();
let ctx: SiteContext;
beforeEach(async () => {
  ctx = await ground.makeSite();
});

const upsert = (input: unknown, at: SiteContext = ctx) =>
  upsertVisitor(at, contract['visitors.upsert'].input.parse(input));
const track = (key: string, name: string, at: SiteContext = ctx) => trackEvent(at, { key, name });
const make = async (name: string, rule: SegmentRule): Promise<number> => {
  const { id } = await createSegment(ctx, { name, rule });
  await fillSegment(ctx, id);
  return id;
};
const keysIn = async (segment: number, at: SiteContext = ctx): Promise<string[]> => {
  const found = await findVisitors(at, contract['visitors.find'].input.parse({ segment, limit: 200 }));
  return 'items' in found ? found.items.map(({ key }) => key).sort() : [];
};
const segmentsOf = async (key: string): Promise<string[]> => {
  const found = await findVisitors(ctx, contract['visitors.find'].input.parse({ key }));
  return 'key' in found ? found.segments : [];
};
const laterBy = (days: number): SiteContext =>
  ground.contextOf(ctx.site.id, { now: () => new Date(Date.now() + days * DAY_MS) });
/** As the schedule does it, for this site. */
async function passTime(at: SiteContext): Promise<void> {
  for (const job of segmentClock)
    for (const { siteId, id } of await findDue(job, ctx.db, at.now(), 1_000))
      if (siteId === ctx.site.id) await job.run(at, id);
}
const isPro: SegmentRule = { all: [{ attribute: 'plan', op: 'eq', value: 'pro' }] };
const isActive: SegmentRule = { all: [{ event: 'looked', op: 'gte', count: 2, within_days: 7 }] };

async function subscribe(): Promise<void> {
  await ctx.db
    .insertInto('webhook_subscriptions')
    .values({
      site_id: ctx.site.id,
      url: 'https://a.example',
      events: ['segment_entered', 'segment_left'],
      secret_cipher: Buffer.from('x'),
      secret_hint: 'xxxx',
    })
    .execute();
}
const told = async (): Promise<string[]> => {
  const { rows } = await sql<{ body: Buffer }>`
    select body from webhook_events where site_id = ${ctx.site.id}`.execute(ctx.db);
  return rows
    .map(({ body }) => JSON.parse(body.toString()))
    .map(({ event, visitor, segment }) => `${visitor.key} ${event} ${segment.name}`)
    .sort();
};

describe('a segment', () => {
  test('contains the visitors who match its rule, existing and new ones', async () => {
    await upsert({ key: 'before', plan: 'pro' });
    await upsert({ key: 'other', plan: 'free' });
    const made = await createSegment(ctx, { name: 'Pros', rule: isPro });
    expect(made).toMatchObject({ name: 'Pros', rule: isPro, size: 0, ready: false });
    await upsert({ key: 'meanwhile', plan: 'pro' });
    await fillSegment(ctx, made.id);
    expect((await upsert({ key: 'after', plan: 'pro' })).segments).toEqual(['Pros']);
    expect(await getSegment(ctx, made.id)).toMatchObject({ size: 3, ready: true });
    expect(await keysIn(made.id)).toEqual(['after', 'before', 'meanwhile']);
    expect((await upsert({ key: 'after', plan: null })).segments).toEqual([]);
    expect(await getSegment(ctx, made.id)).toMatchObject({ size: 2 });
  });

  test('contains those who match its new rule once it is ready again, and has a new name at once', async () => {
    const id = await make('Pros', isPro);
    await upsert({ key: 'u1', plan: 'pro' });
    await upsert({ key: 'u2', plan: 'free' });
    expect(await updateSegment(ctx, { id, name: 'Payers' })).toMatchObject({ name: 'Payers', ready: true });
    expect(await segmentsOf('u1')).toEqual(['Payers']);
    const rule: SegmentRule = { any: [{ attribute: 'plan', op: 'ne', value: 'pro' }] };
    expect(await updateSegment(ctx, { id, rule })).toMatchObject({ rule, ready: false });
    await fillSegment(ctx, id);
    expect(await keysIn(id)).toEqual(['u2']);
    expect(await getSegment(ctx, id)).toMatchObject({ size: 1, ready: true });
    expect(await updateSegment(ctx, { id, rule })).toMatchObject({ ready: true });
  });

  test('is gone when it is deleted, for its members too, and its name is free', async () => {
    const id = await make('Pros', isPro);
    await upsert({ key: 'u1', plan: 'pro' });
    expect(await deleteSegment(ctx, id)).toEqual({ id, deleted: true });
    expect(await segmentsOf('u1')).toEqual([]);
    for (const ask of [getSegment, deleteSegment, (_: SiteContext, gone: number) => keysIn(gone)])
      await expect(ask(ctx, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(updateSegment(ctx, { id })).rejects.toMatchObject({ code: 'not_found' });
    await make('PROS', isPro);
    await fillSegment(ctx, id);
    const left = await sql`
      select segment_id from segment_members where site_id = ${ctx.site.id} and segment_id = ${id}
      union all select id from segments where site_id = ${ctx.site.id} and id = ${id}
      union all select id from visitors where site_id = ${ctx.site.id} and ${id} = any (segment_ids)`.execute(
      ctx.db,
    );
    expect(left.rows).toEqual([]);
    expect(await segmentsOf('u1')).toEqual(['PROS']);
  });

  test('has a name of its own in the site, whatever its case', async () => {
    const id = await make('Pros', isPro);
    const other = await make('Others', isPro);
    await expect(createSegment(ctx, { name: 'pROS', rule: isPro })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(updateSegment(ctx, { id: other, name: 'PROS' })).rejects.toMatchObject({ code: 'conflict' });
    await updateSegment(ctx, { id, name: 'PROS' });
    const elsewhere = await ground.makeSite();
    await createSegment(elsewhere, { name: 'Pros', rule: isPro });
  });

  test("of another site's looks as if it did not exist", async () => {
    const id = await make('Pros', isPro);
    await upsert({ key: 'u1', plan: 'pro' });
    const elsewhere = await ground.makeSite();
    for (const ask of [
      () => getSegment(elsewhere, id),
      () => updateSegment(elsewhere, { id, name: 'Mine' }),
      () => deleteSegment(elsewhere, id),
      () => keysIn(id, elsewhere),
    ])
      await expect(ask()).rejects.toMatchObject({
        code: 'not_found',
        message: 'No such segment.',
      });
    expect((await upsert({ key: 'u1', plan: 'pro' }, elsewhere)).segments).toEqual([]);
    await fillSegment(elsewhere, id);
    expect(await getSegment(ctx, id)).toMatchObject({ name: 'Pros', size: 1 });
  });

  test('is one of at most 200', async () => {
    await sql`
      insert into segments (site_id, name, rule)
      select ${ctx.site.id}, 's' || n, ${JSON.stringify(isPro)}::json from generate_series(1, 199) n`.execute(
      ctx.db,
    );
    const last = await Promise.allSettled(
      ['a', 'b', 'c'].map((name) => createSegment(ctx, { name, rule: isPro })),
    );
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(createSegment(ctx, { name: 'd', rule: isPro })).rejects.toMatchObject({ code: 'conflict' });
    const page = await listSegments(ctx, { limit: 200, order: 'asc' });
    expect('items' in page ? page.items : []).toHaveLength(200);
  });
});

describe('events and time', () => {
  test('add a visitor with the event that makes it enough, and remove them when one leaves the window', async () => {
    const id = await make('Active', isActive);
    await track('u1', 'looked');
    expect(await keysIn(id)).toEqual([]);
    await track('u1', 'looked');
    expect(await keysIn(id)).toEqual(['u1']);
    await passTime(laterBy(6.9));
    expect(await keysIn(id)).toEqual(['u1']);
    await track('u1', 'looked', laterBy(6.9));
    await passTime(laterBy(7.1));
    expect(await keysIn(id)).toEqual([]);
    await track('u1', 'looked', laterBy(7.2));
    expect(await keysIn(id)).toEqual(['u1']);
    await passTime(laterBy(7.2));
    await passTime(laterBy(15));
    expect(await getSegment(ctx, id)).toMatchObject({ size: 0 });
    const { rows } = await sql`
      select from visitors where site_id = ${ctx.site.id} and segments_due_at is not null`.execute(ctx.db);
    expect(rows).toEqual([]);
  });

  test('end the shorter of two windows first, whichever began first', async () => {
    const week = await make('Week', { all: [{ event: 'looked', op: 'gte', count: 1, within_days: 7 }] });
    const day = await make('Day', { all: [{ event: 'paid', op: 'gte', count: 1, within_days: 1 }] });
    await track('u1', 'looked');
    await track('u1', 'paid');
    await track('u2', 'paid');
    await track('u2', 'looked');
    await passTime(laterBy(1.1));
    expect([await keysIn(week), await keysIn(day)]).toEqual([['u1', 'u2'], []]);
    await passTime(laterBy(7.1));
    expect(await keysIn(week)).toEqual([]);
  });

  test('count each event of parallel calls for one visitor', async () => {
    const id = await make('Often', { all: [{ event: 'looked', op: 'gte', count: 50 }] });
    await upsert({ key: 'u1' });
    // As processes of their own would: each waits at the row, not for its turn.
    await Promise.all(
      Array.from({ length: 50 }, () =>
        ctx.transaction((tx) => trackEvent(tx, { key: 'u1', name: 'looked' })),
      ),
    );
    expect(await keysIn(id)).toEqual(['u1']);
  }, 60_000);

  test('count for a visitor who changes while one is stored', async () => {
    const rule: SegmentRule = { all: [...isPro.all, { event: 'looked', op: 'gte', count: 1 }] };
    const id = await make('Looking pros', rule);
    await upsert({ key: 'u1', plan: 'free' });
    const holder = await holdUp(ground.url);
    await holder.query(
      `update visitors set attributes = '{"plan":"pro"}', last_seen_at = now() where site_id = $1 and key = 'u1'`,
      [ctx.site.id],
    );
    const tracked = track('u1', 'looked');
    await Promise.race([holder.awaited(), tracked]);
    await holder.commit();
    await tracked;
    expect(await keysIn(id)).toEqual(['u1']);
    expect(await getSegment(ctx, id)).toMatchObject({ size: 1 });
  });

  test('that change no segment are stored in one transaction together, without one of their own', async () => {
    const id = await make('Active', isActive);
    const keys = Array.from({ length: 12 }, (_, at) => `u${at + 1}`);
    for (const key of keys) await upsert({ key });
    const database = openDatabase(ground.url);
    onTestFinished(() => database.close());
    const at = ground.contextOf(ctx.site.id, { db: database.db });
    for (const inSegment of [[], keys.toSorted(), keys.toSorted()]) {
      await Promise.all(keys.map((key) => track(key, 'looked', at)));
      expect(await keysIn(id)).toEqual(inSegment);
    }
    const { rows } = await sql<{ transactions: number }>`
      select count(distinct xmin::text)::int as transactions
      from (select xmin, row_number() over (partition by visitor_id order by id) as number from visitor_events
        where site_id = ${ctx.site.id}) events
      group by number order by number`.execute(ctx.db);
    const [first = 12, entering, third = 12] = rows.map(({ transactions }) => transactions);
    expect([first < 12, entering, third < 12]).toEqual([true, 12, true]);
  });

  test('are among the data that the SDK sends', async () => {
    const id = await make('Active', isActive);
    const looked = () => ({
      id: crypto.randomUUID(),
      name: 'looked',
      occurred_utc: new Date().toISOString(),
    });
    await collect(ctx, { key: 'anon_1', events: [looked(), looked()] });
    expect(await keysIn(id)).toEqual(['anon_1']);
  });

  test('of an anonymous visitor count for the one that it turns out to be', async () => {
    const id = await make('Active', isActive);
    const pros = await make('Pros', isPro);
    for (const key of ['anon_1', 'anon_1', 'u1']) await track(key, 'looked');
    await upsert({ key: 'anon_1', plan: 'pro' });
    expect(await keysIn(id)).toEqual(['anon_1']);
    const folded = await upsert({ key: 'u1', previous_key: 'anon_1' });
    expect(folded.segments).toEqual(['Active', 'Pros']);
    for (const segment of [id, pros]) {
      expect(await keysIn(segment)).toEqual(['u1']);
      expect(await getSegment(ctx, segment)).toMatchObject({ size: 1 });
    }
  });

  test('are gone with an erased visitor, and so is the visitor in the size', async () => {
    const id = await make('Active', isActive);
    for (let time = 0; time < 2; time++) await track('u1', 'looked');
    await eraseVisitor(ctx, 'u1');
    expect(await getSegment(ctx, id)).toMatchObject({ size: 0 });
    await passTime(laterBy(0));
    expect(await getSegment(ctx, id)).toMatchObject({ size: 0 });
    expect(await keysIn(id)).toEqual([]);
    await track('u1', 'looked');
    expect(await keysIn(id)).toEqual([]);
  });
});

describe('entering and leaving', () => {
  test('is reported once for each change, in the transaction of the change', async () => {
    await make('Pros', isPro);
    await make('Active', isActive);
    await subscribe();
    await upsert({ key: 'u1', plan: 'pro' });
    await upsert({ key: 'u1', plan: 'pro', more: 1 });
    for (let time = 0; time < 3; time++) await track('u1', 'looked');
    const failing = ctx.transaction(async (tx) => {
      await upsert({ key: 'u1', plan: null }, tx);
      throw new Error('later trouble');
    });
    await expect(failing).rejects.toThrow('later trouble');
    expect(await told()).toEqual(['u1 segment_entered Active', 'u1 segment_entered Pros']);
    await passTime(laterBy(8));
    await passTime(laterBy(8));
    await upsert({ key: 'u1', plan: 'free' });
    expect(await told()).toEqual([
      'u1 segment_entered Active',
      'u1 segment_entered Pros',
      'u1 segment_left Active',
      'u1 segment_left Pros',
    ]);
  });

  test('is reported once for all data of a new visitor in one call', async () => {
    await make('Planless', { all: [{ attribute: 'plan', op: 'unset' }] });
    await make('Never looked', { all: [{ event: 'looked', op: 'lt', count: 1 }] });
    await subscribe();
    const events = [{ id: crypto.randomUUID(), name: 'looked', occurred_utc: new Date().toISOString() }];
    await collect(ctx, { key: 'anon_1', attributes: { plan: 'pro' }, events });
    await track('anon_2', 'looked');
    expect(await told()).toEqual(['anon_2 segment_entered Planless']);
  });

  test('is not reported for visitors whom a new or changed rule adds, nor for erased ones', async () => {
    await subscribe();
    await upsert({ key: 'u1', plan: 'pro' });
    const id = await make('Pros', isPro);
    await updateSegment(ctx, { id, rule: { all: [{ attribute: 'plan', op: 'unset' }] } });
    await fillSegment(ctx, id);
    await upsert({ key: 'u2' });
    await eraseVisitor(ctx, 'u2');
    const { rows } = await sql<{ body: Buffer }>`
      select body from webhook_events where site_id = ${ctx.site.id}`.execute(ctx.db);
    expect(rows.map(({ body }) => JSON.parse(body.toString()))).toMatchObject([
      {
        event: 'segment_entered',
        visitor: { key: null, name: null, email: null },
        segment: { name: 'Pros' },
      },
    ]);
  });
});

describe('filling', () => {
  const fill = async (count: number): Promise<void> => {
    await sql`
      insert into visitors (site_id, key, attributes)
      select ${ctx.site.id}, 'v' || n, jsonb_build_object('plan', case n % 2 when 0 then 'pro' else 'free' end)
      from generate_series(1, ${count}) n`.execute(ctx.db);
  };

  test('continues where it stopped, and two at once count nobody twice', async () => {
    await fill(1_600);
    const { id } = await createSegment(ctx, { name: 'Pros', rule: isPro });
    await fillSegment(ctx, id, 0);
    expect(await getSegment(ctx, id)).toMatchObject({ size: 250, ready: false });
    await Promise.all([fillSegment(ctx, id), fillSegment(ctx, id)]);
    expect(await getSegment(ctx, id)).toMatchObject({ size: 800, ready: true });
    await passTime(laterBy(0));
    expect(await getSegment(ctx, id)).toMatchObject({ size: 800 });
    expect(
      (await sql`select from segment_deltas where site_id = ${ctx.site.id}`.execute(ctx.db)).rows,
    ).toEqual([]);
  });

  test('stops for a newer rule', async () => {
    await fill(1_600);
    const { id } = await createSegment(ctx, { name: 'Pros', rule: isPro });
    await fillSegment(ctx, id, 0);
    await updateSegment(ctx, { id, rule: { all: [{ attribute: 'plan', op: 'eq', value: 'free' }] } });
    await fillSegment(ctx, id);
    expect(await getSegment(ctx, id)).toMatchObject({ size: 800, ready: true });
    expect(await keysIn(id)).not.toContain('v2');
  });

  test('is right whatever changes meanwhile, even on processes that know the former rules', async () => {
    await fill(600);
    const id = await make('Pros', { all: [{ attribute: 'none', op: 'set' }] });
    const keys = Array.from({ length: 600 }, (_, at) => `v${at + 1}`);
    let at = 0;
    const change = async (): Promise<void> => {
      for (let key = keys[at++]; key !== undefined; key = keys[at++]) {
        if (at % 3 === 0) await upsert({ key, plan: at % 2 ? 'pro' : 'free' });
        else if (at % 3 === 1) await track(key, 'looked');
        else await upsert({ key: `new${key}`, plan: 'pro' });
      }
    };
    const rule: SegmentRule = { any: [...isPro.all, { event: 'looked', op: 'gte', count: 1 }] };
    const filling = updateSegment(ctx, { id, rule }).then(() => fillSegment(ctx, id));
    await Promise.all([filling, change(), change(), change()]);
    const { rows } = await sql<{ key: string }>`
      select key from visitors v where site_id = ${ctx.site.id} and (attributes ->> 'plan' = 'pro' or exists (
        select from visitor_events e where e.site_id = v.site_id and e.visitor_id = v.id and e.name = 'looked'
      )) order by key`.execute(ctx.db);
    const members = await sql<{ key: string }>`
      select key from segment_members m join visitors v on v.site_id = m.site_id and v.id = m.visitor_id
      where m.site_id = ${ctx.site.id} and m.segment_id = ${id} order by key`.execute(ctx.db);
    expect(members.rows).toEqual(rows);
    expect(await getSegment(ctx, id)).toMatchObject({ size: rows.length, ready: true });
  });

  test('evaluates visitors again who change between its look and its lock', async () => {
    await fill(10);
    await upsert({ key: 'changed', plan: 'pro' });
    const { id } = await createSegment(ctx, { name: 'Pros', rule: isPro });
    let isFirst = true;
    const between: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        // The visitors of the batch have been read.
        if (isFirst && result.rows.some((row) => row.key === 'changed')) {
          isFirst = false;
          await upsert({ key: 'changed', plan: 'free' });
        }
        return result;
      },
    };
    const filling = ground.contextOf(ctx.site.id, { db: ctx.db.withPlugin(between) });
    await fillSegment(filling, id);
    expect(isFirst).toBe(false);
    expect(await keysIn(id)).not.toContain('changed');
    expect(await getSegment(ctx, id)).toMatchObject({ size: (await keysIn(id)).length, ready: true });
  });

  test('waits for transactions from before the rule, and evaluates their visitors', async () => {
    const id = await make('Pros', { all: [{ attribute: 'none', op: 'set' }] });
    let end: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    let begun: () => void = () => undefined;
    const isIn = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const slow = ctx.transaction(async (tx) => {
      await upsert({ key: 'slow', plan: 'pro' }, tx);
      begun();
      await held;
    });
    await isIn;
    await updateSegment(ctx, { id, rule: isPro });
    const filling = fillSegment(ctx, id);
    end();
    await Promise.all([slow, filling]);
    expect(await keysIn(id)).toEqual(['slow']);
  });
});
