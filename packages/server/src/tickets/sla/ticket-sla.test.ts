import { contract, type InputOf, type Sla } from '@foyer/protocol';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { findDue } from '../../../test/find-due.ts';
import { addAgentNamed, answerAsRequester, type Desk, openDesk } from '../../../test/fixtures/tickets.ts';
import { useGround } from '../../../test/ground.ts';
import { updateSite } from '../../sites/sites.ts';
import { createTeam, updateTeam } from '../../sites/teams/teams.ts';
import { createPolicy, deletePolicy, updatePolicy } from '../../sla/policies.ts';
import { listTickets } from '../list.ts';
import { setTicketSpam } from '../spam.ts';
import { getTicketRow, lockTicket } from '../tickets.ts';
import { listQueueTickets } from '../views/list-queue.ts';
import { ticketSlaClock } from './clock.ts';
import { slaJobs } from './renew-all.ts';

const ground = useGround();
let desk: Desk;
beforeEach(async () => {
  desk = await openDesk(ground);
});

const MIN_MS = 60_000;
/** A Monday. */
const START = new Date('2026-06-01T08:00:00Z');
const at = (minutes: number): Date => new Date(START.getTime() + minutes * MIN_MS);
const iso = (minutes: number): string => at(minutes).toISOString();
const then = (minutes: number) => desk.as({ now: at(minutes) });

type Given = Partial<InputOf<'sla_policies.create'>>;
const policy = (given: Given = {}) =>
  createPolicy(
    desk.ctx,
    contract['sla_policies.create'].input.parse({
      name: 'Standard',
      targets: {
        first_response: { normal: 60, urgent: 10 },
        next_response: { normal: 120 },
        resolution: { normal: 600 },
      },
      warn_minutes: 20,
      ...given,
    }),
  );

/** The work of one round of the clock, of this site. */
async function tick(minutes: number): Promise<number> {
  const now = at(minutes);
  const due = (await findDue(ticketSlaClock, ground.db, now, 100)).filter(
    ({ siteId }) => siteId === desk.ctx.site.id,
  );
  for (const { siteId, id } of due)
    await ticketSlaClock.run(ground.contextOf(siteId, { actor: { kind: 'job' }, now: () => now }), id);
  return due.length;
}

const renewAll = (minutes: number) => slaJobs[0]?.run(then(minutes), {});
const slaOf = async (id: number): Promise<Sla | null> => (await desk.get(id)).sla;
const stateOf = async (id: number, target: string) =>
  (await slaOf(id))?.targets.find((one) => one.target === target)?.state;
const told = async () =>
  [...(await desk.events('sla_warning')), ...(await desk.events('sla_breached'))].map(
    ({ event, target, ticket_id, due_utc }) => ({ event, target, ticket_id, due_utc }),
  );

test('a ticket is due by its policy, first for an answer and then for the next ones', async () => {
  await policy();
  const { id } = await desk.make({}, then(0));
  expect(await slaOf(id)).toMatchObject({
    policy: { name: 'Standard' },
    target: 'first_response',
    due_utc: iso(60),
    warn_utc: iso(40),
  });
  await desk.reply(id, {}, then(30));
  expect(await slaOf(id)).toMatchObject({ target: 'resolution', due_utc: iso(600) });
  expect(await stateOf(id, 'first_response')).toBe('met');
  await answerAsRequester(then(100), id);
  expect(await slaOf(id)).toMatchObject({ target: 'next_response', due_utc: iso(220), warn_utc: iso(200) });
  await desk.reply(id, {}, then(230));
  expect(await stateOf(id, 'next_response')).toBe('missed');
  await desk.change(id, { status: 'solved' }, then(300));
  expect(await slaOf(id)).toMatchObject({ target: null, due_utc: null });
  expect(await stateOf(id, 'resolution')).toBe('met');
  expect(await told()).toEqual([
    { event: 'sla_breached', target: 'next_response', ticket_id: id, due_utc: iso(220) },
  ]);
});

test('it is warned about and reported late once each, however many processes look and how often', async () => {
  await policy();
  const { id } = await desk.make({}, then(0));
  expect(await tick(39)).toBe(0);
  expect(await tick(40)).toBe(1);
  expect(await tick(41)).toBe(0);
  const looks = [tick(60), tick(60), tick(60)];
  await Promise.all(looks);
  expect(await tick(90)).toBe(0);
  expect(await told()).toEqual([
    { event: 'sla_warning', target: 'first_response', ticket_id: id, due_utc: iso(60) },
    { event: 'sla_breached', target: 'first_response', ticket_id: id, due_utc: iso(60) },
  ]);
  expect((await desk.audit(id)).map(([action]) => action)).toEqual([
    'created',
    'sla_warning',
    'sla_breached',
  ]);
  expect((await getTicketRow(desk.ctx, id)).sla_due_at).toEqual(at(60));
  await desk.reply(id, {}, then(100));
  expect((await told()).length).toBe(2);
  expect(await stateOf(id, 'first_response')).toBe('missed');
});

/** Unseen notifications by agent. */
const notified = async (): Promise<[number, string][]> => {
  const rows = await desk.ctx.db
    .selectFrom('notifications')
    .select(['agent_id', 'kind'])
    .where('site_id', '=', desk.ctx.site.id)
    .where('seen_at', 'is', null)
    .where('kind', 'in', ['sla_warning', 'sla_breached'])
    .orderBy('agent_id')
    .execute();
  return rows.map(({ agent_id, kind }) => [agent_id, kind]);
};

test('it notifies the assignee, or else its team, or else everybody, until it is done', async () => {
  await policy();
  const { ben } = desk;
  const [ada, cleo] = [await addAgentNamed(desk.ctx, 'Ada'), await addAgentNamed(desk.ctx, 'Cleo')];
  const team = await createTeam(desk.ctx, { name: 'Billing', member_ids: [ada.id] });
  const { id } = await desk.make({ assignee_id: ben.id }, then(0));
  await tick(40);
  expect(await notified()).toEqual([[ben.id, 'sla_warning']]);
  await desk.change(id, { assignee_id: null, team_id: team.id }, then(50));
  await tick(60);
  expect(await notified()).toEqual([[ada.id, 'sla_breached']]);
  await desk.change(id, { status: 'solved' }, then(61));
  expect(await notified()).toEqual([]);
  const other = await desk.make({}, then(100));
  await tick(140);
  expect(await notified()).toEqual([ben.id, ada.id, cleo.id].map((one) => [one, 'sla_warning']));
  await desk.reply(other.id, {}, then(150));
  expect(await notified()).toEqual([]);
});

test('lists find tickets that are late or due soon, and sort by the next due time', async () => {
  await policy();
  const [low, first, second] = [
    await desk.make({ priority: 'low' }, then(0)),
    await desk.make({}, then(30)),
    await desk.make({ priority: 'urgent' }, then(70)),
  ];
  await tick(75);
  const late = desk.as({ now: at(75) });
  const list = async (input: InputOf<'tickets.list'>) => {
    const page = await listTickets(late, contract['tickets.list'].input.parse(input));
    return 'items' in page ? page.items.map(({ id }) => id) : [];
  };
  expect(await list({ sort: 'next_due' })).toEqual([second.id, first.id]);
  expect(await list({ due: 'late' })).toEqual([]);
  expect(await list({ due: 'soon' })).toEqual([first.id]);
  const inbox = async (input: InputOf<'inbox.tickets'>) =>
    (
      await listQueueTickets(late, contract['inbox.tickets'].input.parse({ sort: 'next_due', ...input }))
    ).items.map(({ id }) => id);
  expect(await inbox({ queue: 'open' })).toEqual([second.id, first.id, low.id]);
  expect(await inbox({ queue: 'closed' })).toEqual([]);
  expect(await inbox({ due: 'soon' })).toEqual([first.id]);
});

test('an event and its mark are one transaction: a look that fails reports nothing, the next one does', async () => {
  await policy();
  await desk.make({}, then(0));
  const failing = then(60).as({ kind: 'job' });
  const look = failing.transaction(async (tx) => {
    await ticketSlaClock.run(tx, 0);
    throw new Error('killed');
  });
  await expect(look).rejects.toThrow('killed');
  expect(await told()).toEqual([]);
  expect(await tick(61)).toBe(1);
  expect((await told()).length).toBe(1);
});

test('raising the priority moves the due time, and reports at once if it is late by it', async () => {
  await policy();
  const { id } = await desk.make({}, then(0));
  await desk.change(id, { priority: 'urgent' }, then(5));
  expect(await slaOf(id)).toMatchObject({ due_utc: iso(10), warn_utc: null });
  await desk.change(id, { priority: 'normal' }, then(8));
  expect(await slaOf(id)).toMatchObject({ due_utc: iso(60) });
  await desk.change(id, { priority: 'urgent' }, then(30));
  expect(await told()).toEqual([
    { event: 'sla_breached', target: 'first_response', ticket_id: id, due_utc: iso(10) },
  ]);
  await desk.change(id, { priority: 'low' }, then(31));
  expect(await slaOf(id)).toMatchObject({ target: null, due_utc: null });
});

test('the time to resolution pauses while pending and snoozed; answers are due all the same', async () => {
  await policy();
  const { id } = await desk.make({}, then(0));
  await desk.reply(id, { status: 'pending' }, then(50));
  expect(await slaOf(id)).toMatchObject({ target: null, due_utc: null });
  expect(await stateOf(id, 'resolution')).toBe('paused');
  expect(await tick(5_000)).toBe(0);
  await answerAsRequester(then(1_000), id);
  expect(await slaOf(id)).toMatchObject({ target: 'next_response', due_utc: iso(1_120) });
  await desk.snooze(id, at(10_000), then(1_010));
  expect(await stateOf(id, 'resolution')).toBe('paused');
  expect(await stateOf(id, 'next_response')).toBe('running');
  await desk.snooze(id, null, then(1_100));
  await desk.reply(id, {}, then(1_110));
  // 50 and 10 minutes had passed.
  expect(await slaOf(id)).toMatchObject({ target: 'resolution', due_utc: iso(1_100 + 540) });
  await desk.change(id, { status: 'solved' }, then(1_200));
  await answerAsRequester(then(3_000), id);
  await desk.reply(id, {}, then(3_010));
  expect(await slaOf(id)).toMatchObject({ target: 'resolution', due_utc: iso(3_000 + 440) });
});

test('the first matching policy applies, by tag, team and priority', async () => {
  const team = await createTeam(desk.ctx, { name: 'Billing' });
  const vip = await policy({ name: 'VIP', conditions: { tag: 'VIP' } });
  await policy({ name: 'Billing', conditions: { team_id: team.id } });
  await policy({ name: 'High', conditions: { priority: 'high' } });
  const nameOf = async (id: number) => (await slaOf(id))?.policy.name;
  const { id } = await desk.make({}, then(0));
  expect(await slaOf(id)).toBeNull();
  await desk.change(id, { priority: 'high' });
  expect(await nameOf(id)).toBe('High');
  await desk.change(id, { team_id: team.id });
  expect(await nameOf(id)).toBe('Billing');
  await desk.change(id, { add_tags: ['vip'] });
  expect(await nameOf(id)).toBe('VIP');
  await deletePolicy(desk.ctx, vip.id);
  await renewAll(10);
  expect(await nameOf(id)).toBe('Billing');
  await desk.change(id, { team_id: null, priority: 'low' });
  expect(await slaOf(id)).toBeNull();
});

test('many tickets whose policy is deleted, or to which none applies any longer, are due once', async () => {
  const { id: standard } = await policy();
  const { id } = await desk.make({}, then(0));
  await sql`
    insert into tickets (site_id, subject, description, requester_id, sla, sla_due_at, sla_event_at, spam_at, spam_reason,
      imported_at)
    select site_id, subject, description, requester_id, sla, sla_due_at, sla_event_at,
      case n % 3 when 1 then now() end, case n % 3 when 1 then 'team' end, case n % 3 when 2 then now() end
    from tickets cross join generate_series(1, 299) n where site_id = ${desk.ctx.site.id} and id = ${id}`.execute(
    ground.db,
  );
  await deletePolicy(desk.ctx, standard);
  expect(await tick(90)).toBe(1);
  expect(await tick(90)).toBe(0);
  expect(await told()).toEqual([]);
  expect(await slaOf(id)).toBeNull();
});

const NINE_TO_FIVE = [{ from: '09:00', to: '17:00' }];
const hoursOn = (...days: string[]) => {
  const weekly = Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
      day,
      days.includes(day) ? NINE_TO_FIVE : [],
    ]),
  );
  return contract['teams.create'].input.parse({
    name: 'x',
    office_hours: { time_zone: 'UTC', weekly },
  }).office_hours;
};

test('due times follow the hours of the team, or else of the site, and their changes', async () => {
  const team = await createTeam(desk.ctx, { name: 'Tuesdays', office_hours: hoursOn('tuesday') });
  await policy();
  await policy({ name: 'Always', hours: 'always', conditions: { tag: 'always' }, position: 0 });
  await updateSite(desk.ctx, { office_hours: hoursOn('monday') });
  const { id } = await desk.make({}, then(0));
  expect(await slaOf(id)).toMatchObject({ due_utc: '2026-06-01T10:00:00.000Z' });
  await desk.change(id, { team_id: team.id }, then(1));
  expect(await slaOf(id)).toMatchObject({ due_utc: '2026-06-02T10:00:00.000Z' });
  await updateTeam(desk.ctx, { id: team.id, office_hours: hoursOn('friday') });
  expect(await slaOf(id)).toMatchObject({ due_utc: '2026-06-02T10:00:00.000Z' });
  await renewAll(2);
  expect(await slaOf(id)).toMatchObject({ due_utc: '2026-06-05T10:00:00.000Z' });
});

test('tickets that a new policy makes late are marked as late, and nobody is notified', async () => {
  const { id } = await desk.make({}, then(0));
  const solved = await desk.make({}, then(0));
  await desk.change(solved.id, { status: 'solved' }, then(1));
  const { id: policyId } = await policy();
  await renewAll(200);
  expect(await slaOf(id)).toMatchObject({ target: 'first_response', due_utc: iso(60) });
  expect(await slaOf(solved.id)).toBeNull();
  expect(await tick(201)).toBe(0);
  await updatePolicy(desk.ctx, { id: policyId, targets: { first_response: { normal: 300 } } });
  await renewAll(202);
  expect(await slaOf(id)).toMatchObject({ due_utc: iso(300) });
  expect(await tick(300)).toBe(1);
  expect((await told()).map(({ event }) => event)).toEqual(['sla_breached']);
});

test('spam is never due, and a site without policies computes nothing', async () => {
  const before = await desk.make({}, then(0));
  expect((await getTicketRow(desk.ctx, before.id)).sla_version).toBe(0);
  await policy();
  const { id } = await desk.make({}, then(0));
  const setSpam = (reason: 'team' | null) =>
    desk.ctx.transaction(async (tx) => setTicketSpam(tx, await lockTicket(tx, id), reason));
  await setSpam('team');
  expect(await slaOf(id)).toBeNull();
  expect(await tick(10_000)).toBe(0);
  await setSpam(null);
  expect(await slaOf(id)).toMatchObject({ due_utc: iso(60) });
});

test('a failing ticket blocks no other, and is tried again ten minutes later', async () => {
  await policy();
  const bad = (await desk.make({}, then(0))).id;
  const good = (await desk.make({}, then(0))).id;
  const began = (time: string) =>
    sql`update tickets set sla = jsonb_set(sla, '{resolution,running}', to_jsonb(${time}::text))
      where site_id = ${desk.ctx.site.id} and id = ${bad}`.execute(ground.db);
  await began('never');
  expect(await tick(40)).toBe(1);
  const warned = { event: 'sla_warning', target: 'first_response', due_utc: iso(60) };
  expect(await told()).toEqual([{ ...warned, ticket_id: good }]);
  expect(await tick(49)).toBe(0);
  await began(iso(0));
  expect(await tick(50)).toBe(1);
  expect(await told()).toEqual([
    { ...warned, ticket_id: good },
    { ...warned, ticket_id: bad },
  ]);
});
