import { CLOSE_AFTER_DAYS, SNOOZE_MAX_MINUTES } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findDue } from '../../test/find-due.ts';
import { type Desk, openDesk } from '../../test/fixtures/tickets.ts';
import { useGround } from '../../test/ground.ts';
import { silentLog, until } from '../../test/harness.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { startSchedule } from '../jobs/schedule.ts';
import { ticketClock } from './clock.ts';
import { getTicketRow } from './tickets.ts';
import { markTicketRead } from './unread.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

const [wake, close] = ticketClock as [RecurringJob, RecurringJob];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const later = (from: Date, ms: number): Date => new Date(from.getTime() + ms);

/** Runs one round of a job. @returns the site of each record that was due */
async function round(job: RecurringJob, now: Date): Promise<number[]> {
  const due = await findDue(job, ground.db, now, 100);
  for (const { siteId, id } of due)
    await job.run(ground.contextOf(siteId, { actor: { kind: 'job' }, now: () => now }), id);
  return due.map(({ siteId }) => siteId);
}

test('a snoozed ticket is in no list until it is due, never early, and then open', async () => {
  const { id } = await desk.make();
  await desk.change(id, { status: 'pending' });
  const due = later(new Date(), HOUR_MS);
  expect(await desk.snooze(id, due)).toMatchObject({
    snoozed_until_utc: due.toISOString(),
    status: 'pending',
  });
  expect(await desk.list()).toEqual([]);
  expect(await desk.list({ snoozed: false })).toEqual([]);
  expect(await desk.list({ snoozed: true })).toEqual([id]);
  expect(await desk.list({ id })).toEqual([id]);

  expect(await round(wake, later(due, -1))).toEqual([]);
  expect(await desk.list()).toEqual([]);

  expect(await round(wake, due)).toEqual([desk.ctx.site.id]);
  expect(await desk.get(id)).toMatchObject({
    status: 'open',
    snoozed_until_utc: null,
    updated_utc: due.toISOString(),
  });
  expect(await desk.list()).toEqual([id]);
  expect((await desk.audit(id)).at(-1)).toEqual([
    'woken',
    { status: ['pending', 'open'], snoozed_until_utc: [due.toISOString(), null] },
  ]);
  expect((await desk.events('ticket_updated')).at(-1)).toMatchObject({
    by: { type: 'system' },
    status: 'open',
  });
  expect(await round(wake, later(due, 1))).toEqual([]);
});

test('a ticket whose snooze has ended automatically is unread, one that was woken by hand is as it was', async () => {
  const due = later(new Date(), HOUR_MS);
  const unreadSince = async (id: number) => (await getTicketRow(desk.ctx, id)).unread_since;
  const [slept, woken] = [await desk.make(), await desk.make()];
  for (const { id } of [slept, woken]) {
    await markTicketRead(desk.ctx, id, 0);
    await desk.snooze(id, due);
  }
  await desk.snooze(woken.id, null);
  await round(wake, due);
  expect(await unreadSince(slept.id)).toEqual(due);
  expect(await unreadSince(woken.id)).toBeNull();
});

test('null wakes it by hand; one that isn’t snoozed stays as it is', async () => {
  const { id } = await desk.make();
  expect(await desk.snooze(id, null)).toMatchObject({ status: 'new' });
  await desk.snooze(id, later(new Date(), HOUR_MS));
  expect(await desk.snooze(id, null)).toMatchObject({ status: 'open', snoozed_until_utc: null });
  expect((await desk.audit(id)).map(([action]) => action)).toEqual(['created', 'snoozed', 'woken']);
});

test('a time in the past or too far ahead is refused, and so is snoozing a finished ticket', async () => {
  const { id } = await desk.make();
  const now = new Date();
  for (const until of [now, later(now, -1), later(now, SNOOZE_MAX_MINUTES * 60_000 + 1)]) {
    await expect(desk.snooze(id, until, desk.as({ now }))).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [{ path: 'until_utc' }],
    });
  }
  await desk.change(id, { status: 'solved' });
  await expect(desk.snooze(id, later(now, HOUR_MS))).rejects.toMatchObject({ code: 'conflict' });
});

test('a postponed snooze is not ended at its first time', async () => {
  const { id } = await desk.make();
  const first = later(new Date(), HOUR_MS);
  await desk.snooze(id, first);
  await desk.snooze(id, later(first, HOUR_MS));
  await round(wake, first);
  expect(await desk.list()).toEqual([]);
});

test('many tickets due at one moment are woken by two processes at once, each ticket once', async () => {
  const due = later(new Date(), HOUR_MS);
  const first = await desk.make();
  const { site } = desk.ctx;
  const row = await desk.ctx.db
    .selectFrom('tickets')
    .select('requester_id')
    .where('id', '=', first.id)
    .executeTakeFirstOrThrow();
  await desk.ctx.db
    .insertInto('tickets')
    .values(
      Array.from({ length: 450 }, (_, n) => ({
        site_id: site.id,
        subject: `ticket ${n}`,
        description: 'text',
        requester_id: row.requester_id,
        snoozed_until: due,
      })),
    )
    .execute();
  await Promise.all([round(wake, due), round(wake, due)]);
  expect(await desk.list({ snoozed: true })).toEqual([]);
  expect(await desk.events('ticket_updated')).toHaveLength(450);
});

test('one that is being changed is left for the next time, and blocks none of the others', async () => {
  const due = later(new Date(), HOUR_MS);
  const [busy, free] = [await desk.make(), await desk.make()];
  for (const { id } of [busy, free]) await desk.snooze(id, due);
  await desk.ctx.transaction(async (tx) => {
    await tx.db.selectFrom('tickets').select('id').where('id', '=', busy.id).forUpdate().execute();
    await round(wake, due);
    expect(await desk.list()).toEqual([free.id]);
  });
  await round(wake, due);
  expect(await desk.list()).toEqual([free.id, busy.id]);
});

test('solved tickets close after 14 days, no sooner, and keep the time when they were solved', async () => {
  const at = new Date();
  const [old, young, reopened] = [await desk.make(), await desk.make(), await desk.make()];
  await desk.change(old.id, { status: 'solved' }, desk.as({ now: at }));
  await desk.change(young.id, { status: 'solved' }, desk.as({ now: later(at, 1) }));
  await desk.change(reopened.id, { status: 'solved' }, desk.as({ now: at }));
  await desk.change(reopened.id, { status: 'open' });

  await round(close, later(at, CLOSE_AFTER_DAYS * DAY_MS));
  expect(await desk.get(old.id)).toMatchObject({ status: 'closed', solved_utc: at.toISOString() });
  expect(await desk.get(young.id)).toMatchObject({ status: 'solved' });
  expect(await desk.get(reopened.id)).toMatchObject({ status: 'open' });
  await expect(desk.change(old.id, { status: 'open' })).rejects.toMatchObject({
    message: 'A ticket can’t go from closed to open.',
  });
  expect((await desk.audit(old.id)).at(-1)).toEqual(['closed', { status: ['solved', 'closed'] }]);
});

test('work that became due while no process ran is done by the next that starts', async () => {
  const { id } = await desk.make();
  await desk.snooze(id, later(new Date(), HOUR_MS));
  const schedule = startSchedule({
    jobs: ticketClock,
    shares: { owns: () => true, stop: async () => undefined },
    db: ground.db,
    log: silentLog,
    now: () => later(new Date(), 2 * HOUR_MS),
    contextFor: async (siteId) =>
      ground.contextOf(siteId, { actor: { kind: 'job' }, now: () => later(new Date(), 2 * HOUR_MS) }),
  });
  await until(async () => (await desk.list()).includes(id));
  await schedule.stop();
  expect(await desk.get(id)).toMatchObject({ status: 'open' });
});

test('due tickets are found by their index, not by reading all tickets', async () => {
  for (const [condition, index] of [
    ['snoozed_until <= now()', 'tickets_wake'],
    ["status = 'solved' and solved_at <= now()", 'tickets_close'],
  ] as const) {
    const { rows } = await ground.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      return sql<{
        'QUERY PLAN': string;
      }>`explain select id from tickets where ${sql.raw(condition)}`.execute(tx);
    });
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
  }
});
