import { type TicketFilter, VIEW_COUNT_MAX } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { type Desk, openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { countTickets, LOOKED_AT_MAX } from './view-counts.ts';

const ground = useGround();
let desk: Desk;
/** More than a count reads. Every tenth is urgent; the oldest eight hundred are pending, and unassigned like all. */
const MANY = LOOKED_AT_MAX + 3_000;
const PENDING = 800;

beforeAll(async () => {
  desk = await openDesk(ground);
  await desk.make({ tags: ['rare'], subject: 'Xylophone', priority: 'low', assignee_id: desk.ben.id });
  await sql`
    insert into tickets (site_id, subject, description, requester_id, status, priority, created_at, updated_at)
    select site_id, 'x', 'y', requester_id,
      case when n > ${MANY - PENDING} then 'pending' else 'open' end,
      case when n % 10 = 0 then 'urgent' else 'normal' end,
      now() - n * interval '1 minute', now() - n * interval '1 minute'
    from tickets, generate_series(1, ${MANY}) n where site_id = ${desk.ctx.site.id}`.execute(ground.db);
  await sql`vacuum analyze tickets`.execute(ground.db);
});

const count = async (filter: TicketFilter) => (await countTickets(desk.ctx, [filter]))[0];

test.each<[TicketFilter, number]>([
  [{ status: 'pending' }, PENDING],
  [{ status: 'pending', priority: 'urgent' }, PENDING / 10],
  [{ priority: 'low' }, 1],
  [{ priority: 'urgent' }, MANY / 10],
  [{ priority: 'urgent', tag: 'rare' }, 0],
  [{ tag: 'rare' }, 1],
  [{ tag: 'rare', status: 'pending' }, 0],
  [{ q: 'xylophone' }, 1],
  [{ q: 'xylophone', status: 'pending' }, 0],
  [{ requester_key: 'user_1' }, VIEW_COUNT_MAX],
  [{ requester_key: 'nobody' }, 0],
  [{ assignee_id: 'none' }, VIEW_COUNT_MAX],
  [{ assignee_id: 'none', status: 'pending' }, PENDING],
  [{ since: '2000-01-01' }, VIEW_COUNT_MAX],
  [{ since: '2999-01-01' }, 0],
  [{ updated_since: '2999-01-01', status: 'open' }, 0],
  [{ snoozed: true }, 0],
  [{}, VIEW_COUNT_MAX],
])('%o is counted exactly, up to the maximum', async (filter, expected) => {
  expect(await count(filter)).toBe(expected);
});

test('for a combination without an index, only the newest are read', async () => {
  expect(await count({ assignee_id: 'none', priority: 'urgent' })).toBe(LOOKED_AT_MAX / 10);
  expect(await count({ requester_key: 'user_1', status: 'pending' })).toBe(0);
});

test('an expensive count is cached for a moment, for the team of the same site alone', async () => {
  const other = await openDesk(ground);
  const filter: TicketFilter = { priority: 'urgent' };
  expect(await countTickets(other.ctx, [filter])).toEqual([0]);
  const first = await count(filter);
  await sql`
    update tickets set priority = 'low' where site_id = ${desk.ctx.site.id} and priority = 'urgent' and id % 4 < 2`.execute(
    ground.db,
  );
  expect(await count(filter)).toBe(first);
  expect(await countTickets(other.ctx, [filter])).toEqual([0]);
  // Another process, or a moment later.
  expect(await countTickets(desk.as({}), [filter])).not.toEqual([first]);
});

test('many are counted together, each in its place', async () => {
  const filters: TicketFilter[] = Array.from({ length: 45 }, (_, at) =>
    at % 3 === 0 ? { status: 'pending' } : at % 3 === 1 ? { tag: 'rare' } : { tag: 'never' },
  );
  const expected = filters.map((_, at) => [PENDING, 1, 0][at % 3]);
  expect(await countTickets(desk.ctx, filters)).toEqual(expected);
  expect(await countTickets(desk.ctx, [])).toEqual([]);
});

test('a ticket counts at once, and no longer once it is snoozed', async () => {
  const other = await openDesk(ground);
  const own = async () => (await countTickets(other.ctx, [{ status: 'open' }]))[0];
  expect(await own()).toBe(0);
  const { id } = await other.make({ assignee_id: other.ben.id });
  expect(await own()).toBe(1);
  await other.snooze(id, new Date(Date.now() + 3_600_000));
  expect(await own()).toBe(0);
});
