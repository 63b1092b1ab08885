import { type Attributes, contract, type SegmentPart, type SegmentRule, segmentRule } from '@foyer/protocol';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { findDue } from '../../../test/find-due.ts';
import { useGround } from '../../../test/ground.ts';
import type { SiteContext } from '../../core/context.ts';
import { eraseVisitor } from '../../erasure/erase-visitor.ts';
import { trackEvent } from '../events/track.ts';
import { upsertVisitor } from '../visitors.ts';
import { segmentClock } from './clock.ts';
import { fillSegment } from './fill.ts';
import { createSegment, updateSegment } from './segments.ts';

// In any order of events, the members must be those that a scan of every visitor and every event would find.

const ground = useGround();

const DAY_MS = 86_400_000;
const RUNS = 15;
const START = Date.parse('2026-01-01T00:00:00Z');

const KEYS = ['anon_1', 'u1', 'u1', 'u2'];
const EVENTS = ['looked', 'paid'];
const value = fc.constantFrom<string | number | boolean>('pro', 'free', 1, 5, true);

const attributePart = fc.oneof(
  fc.record({
    attribute: fc.constantFrom('plan', 'seats'),
    op: fc.constantFrom('eq', 'ne', 'contains'),
    value,
  }),
  fc.record({
    attribute: fc.constant('seats'),
    op: fc.constantFrom('gt', 'lt'),
    value: fc.constantFrom(1, 3),
  }),
  fc.record({ attribute: fc.constantFrom('plan', 'email', 'name'), op: fc.constantFrom('set', 'unset') }),
  fc.record({
    attribute: fc.constant('email'),
    op: fc.constantFrom('eq', 'contains'),
    value: fc.constant('ANN@a.example'),
  }),
  fc.record({
    attribute: fc.constantFrom('first_seen_utc', 'last_seen_utc'),
    op: fc.constantFrom('gt', 'lt'),
    value: fc.constantFrom('2026-01-03', '2026-01-08T12:00:00Z'),
  }),
);
const eventPart = fc.record(
  {
    event: fc.constantFrom(...EVENTS),
    op: fc.constantFrom('gte', 'lt'),
    count: fc.integer({ min: 1, max: 3 }),
    within_days: fc.constantFrom(1, 3, 7),
  },
  { requiredKeys: ['event', 'op', 'count'] },
);
const group = (part: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const parts = fc.array(part, { minLength: 1, maxLength: 3 });
  return fc.oneof(fc.record({ all: parts }), fc.record({ any: parts }));
};
const condition = fc.oneof({ weight: 1, arbitrary: attributePart }, { weight: 2, arbitrary: eventPart });
const rule: fc.Arbitrary<SegmentRule> = group(
  fc.oneof(
    { weight: 3, arbitrary: condition },
    { weight: 1, arbitrary: group(fc.oneof(condition, group(condition))) },
  ),
).map((made) => segmentRule.parse(made));

const upsert = fc.record({
  do: fc.constant('upsert' as const),
  key: fc.constantFrom(...KEYS),
  plan: fc.constantFrom('pro', 'free', null, undefined),
  seats: fc.constantFrom(1, 2, 5, '5', null, undefined),
  email: fc.constantFrom('ann@a.example', null, undefined),
});
const track = fc.record({
  do: fc.constant('track' as const),
  key: fc.constantFrom(...KEYS),
  name: fc.constantFrom('looked', 'looked', 'paid', 'other'),
  daysAgo: fc.constantFrom(0, 0, 0, 0, 0.5, 2, 6, -0.5),
});
const fold = fc.record({
  do: fc.constant('fold' as const),
  key: fc.constantFrom('u1', 'u2'),
  previous: fc.constantFrom('anon_1', 'anon_none'),
});
const erase = fc.record({ do: fc.constant('erase' as const), key: fc.constantFrom(...KEYS) });
const another = fc.record({ do: fc.constant('rule' as const), segment: fc.nat(2), rule });
const wait = fc.record({ do: fc.constant('wait' as const), days: fc.constantFrom(0.4, 0.9, 1.5, 2.5) });
const step = fc.oneof(
  { weight: 10, arbitrary: track },
  { weight: 5, arbitrary: wait },
  { weight: 4, arbitrary: upsert },
  { weight: 1, arbitrary: fold },
  { weight: 1, arbitrary: erase },
  { weight: 1, arbitrary: another },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(ctx: SiteContext, segments: readonly number[], one: Step): Promise<void> {
  switch (one.do) {
    case 'upsert': {
      const { key, plan, seats, email } = one;
      const attributes: Attributes = {};
      if (plan !== undefined) attributes.plan = plan;
      if (seats !== undefined) attributes.seats = seats;
      await upsertVisitor(ctx, contract['visitors.upsert'].input.parse({ key, email, attributes }));
      return;
    }
    case 'track': {
      const at = new Date(ctx.now().getTime() - one.daysAgo * DAY_MS);
      await trackEvent(ctx, { key: one.key, name: one.name, occurred_utc: at.toISOString() });
      return;
    }
    case 'fold':
      await upsertVisitor(ctx, { key: one.key, previous_key: one.previous });
      return;
    case 'erase':
      await eraseVisitor(ctx, one.key).catch((error) => expect(error).toMatchObject({ code: 'not_found' }));
      return;
    case 'rule': {
      const id = segments[one.segment] ?? 0;
      await updateSegment(ctx, { id, rule: one.rule });
      await fillSegment(ctx, id);
      return;
    }
    case 'wait':
      return;
  }
}

interface Person {
  id: number;
  key: string;
  email: string | null;
  name: string | null;
  attributes: Record<string, unknown>;
  first_seen_at: Date;
  last_seen_at: Date;
  events: { name: string; at: string }[];
  segment_ids: number[];
}

/** The rule once more, in its simplest form. */
function isIn(part: SegmentPart, who: Person, now: Date): boolean {
  if ('all' in part) return part.all.every((one) => isIn(one, who, now));
  if ('any' in part) return part.any.some((one) => isIn(one, who, now));
  if ('event' in part) {
    const since = part.within_days === undefined ? 0 : now.getTime() - part.within_days * DAY_MS;
    const count = who.events.filter(({ name, at }) => name === part.event && Date.parse(at) > since).length;
    return part.op === 'gte' ? count >= part.count : count < part.count;
  }
  const own: Record<string, unknown> = {
    ...who.attributes,
    email: who.email?.toLowerCase(),
    name: who.name,
    key: who.key,
    first_seen_utc: who.first_seen_at.getTime(),
    last_seen_utc: who.last_seen_at.getTime(),
  };
  const mine = own[part.attribute] ?? null;
  if (part.op === 'set') return mine !== null;
  if (part.op === 'unset') return mine === null;
  const given = 'value' in part ? part.value : null;
  const wanted = part.attribute === 'email' ? String(given).toLowerCase() : given;
  if (part.op === 'eq') return mine === wanted;
  if (part.op === 'ne') return mine !== wanted;
  if (part.op === 'contains')
    return typeof mine === 'string' && typeof wanted === 'string' && mine.includes(wanted);
  const limit = typeof wanted === 'string' ? Date.parse(wanted) : Number(wanted);
  if (typeof mine !== 'number') return false;
  return part.op === 'gt' ? mine > limit : mine < limit;
}

async function people(ctx: SiteContext): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select v.*, coalesce((
      select json_agg(json_build_object('name', e.name, 'at', e.occurred_at)) from visitor_events e
      where e.site_id = v.site_id and e.visitor_id = v.id
    ), '[]') as events
    from visitors v where site_id = ${ctx.site.id} and erased_at is null order by id`.execute(ctx.db);
  return rows;
}

async function check(ctx: SiteContext, segments: readonly number[]): Promise<void> {
  const everybody = await people(ctx);
  const { rows } = await sql<{ id: number; rule: SegmentRule; members: number[]; size: number }>`
    select id, rule, size + (
        select coalesce(sum(delta), 0)::bigint from segment_deltas d where d.site_id = g.site_id and d.segment_id = g.id
      ) as size,
      array(select visitor_id from segment_members m where m.site_id = g.site_id and m.segment_id = g.id order by 1) as members
    from segments g where site_id = ${ctx.site.id} order by id`.execute(ctx.db);
  expect(rows.map(({ id }) => id)).toEqual(segments);
  for (const { id, rule: held, members, size } of rows) {
    const naive = everybody.filter((who) => isIn(held, who, ctx.now())).map((who) => who.id);
    expect(members, JSON.stringify(held)).toEqual(naive);
    expect(size).toBe(naive.length);
    // The row's own data agrees.
    expect(everybody.filter(({ segment_ids }) => segment_ids.includes(id)).map((who) => who.id)).toEqual(
      naive,
    );
  }
}

test('the members are those that a scan of everybody would find', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(rule, rule, rule),
      fc.array(step, { minLength: 15, maxLength: 40, size: 'max' }),
      async (rules, steps) => {
        const { site } = await ground.makeSite();
        let time = START;
        const ctx = ground.contextOf(site.id, { now: () => new Date(time) });
        const segments: number[] = [];
        for (const [at, made] of rules.entries()) {
          const { id } = await createSegment(ctx, { name: `s${at}`, rule: made });
          await fillSegment(ctx, id);
          segments.push(id);
        }
        for (const one of steps) {
          time += one.do === 'wait' ? one.days * DAY_MS : 1_000;
          await take(ctx, segments, one);
          for (const job of segmentClock)
            for (const item of await findDue(job, ctx.db, ctx.now(), 1_000))
              if (item.siteId === site.id) await job.run(ctx, item.id);
          await check(ctx, segments);
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 300_000);
