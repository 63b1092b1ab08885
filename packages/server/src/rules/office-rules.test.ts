import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { findDue } from '../../test/find-due.ts';
import { openChat } from '../../test/stand.ts';
import type { SiteContext } from '../core/context.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { ruleClock } from './clock.ts';

/** A Monday, an hour before the office opens. */
const EARLY = '2027-03-01T08:00:00Z';
const OFFICE = hoursOf('09:00', '17:00');

function hoursOf(from: string, to: string) {
  const day = [{ from, to }];
  const weekly = { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day };
  return { time_zone: 'UTC', weekly: { ...weekly, saturday: [], sunday: [] }, holidays: [] };
}

let app: TestApp;
let site: TestSite;
let worker: SiteContext;
let at = new Date(EARLY);
beforeAll(async () => {
  // No background jobs run: the tests say when rules run.
  app = await startTestApp({ FOYER_ROLE: 'web' }, { now: () => at });
});
afterAll(() => app.close());
beforeEach(async () => {
  at = new Date(EARLY);
  site = await app.makeSite();
  worker = app.app.contextFor(site.site, { kind: 'job' });
});

const rest = async (method: string, path: string, body?: object): Promise<Json> => {
  const answer = await app.rest(site.write, method, `/v1/${path}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body.data;
};
async function set(operation: string, input: object): Promise<Json> {
  const answer = await app.desk(await app.signIn(site.admin.email), operation, input);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
}
let made = 0;
const tagging = (trigger: object, tag: string, parts: object = {}): Promise<Json> =>
  rest('POST', 'rules', {
    name: `Rule ${++made}`,
    trigger,
    actions: [{ type: 'add_tags', tags: [tag] }],
    enabled: true,
    ...parts,
  });
const chat = async (): Promise<string> => {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  socket.cut();
  await rest('PATCH', `conversations?session_id=${id}`, { status: 'waiting' });
  return id;
};
const tagsOf = async (id: string): Promise<string[]> =>
  (await rest('GET', `conversations?session_id=${id}`)).tags;

const jobNamed = (wanted: string): RecurringJob => {
  const found = ruleClock.find(({ name }) => name === wanted);
  if (!found) throw new Error(`no job ${wanted}`);
  return found;
};
const [runs, looks] = [jobNamed('rules.run'), jobNamed('rules.look')];
const dueOf = async (one: RecurringJob): Promise<number[]> =>
  (await findDue(one, app.app.database.db, at, 1_000))
    .filter(({ siteId }) => siteId === site.site.id)
    .map(({ id }) => id);
async function settle(utc: string): Promise<void> {
  at = new Date(utc);
  for (const id of await dueOf(looks)) await looks.run(worker, id);
  for (let ids = await dueOf(runs); ids.length > 0; ids = await dueOf(runs))
    for (const id of ids) await runs.run(worker, id);
}

test('an opening and a closing trigger their rules once, by the hours of a chat’s team or of the site', async () => {
  await set('site.update', { office_hours: OFFICE });
  const team = await rest('POST', 'teams', { name: 'Night', office_hours: hoursOf('12:00', '20:00') });
  await tagging({ on: 'office_opened' }, 'opened');
  await tagging({ on: 'office_closed' }, 'closed');
  const [ofSite, ofTeam] = [await chat(), await chat()];
  await rest('PATCH', `conversations?session_id=${ofTeam}`, { team_id: team.id });
  await settle('2027-03-01T08:59:59Z');
  expect([await tagsOf(ofSite), await tagsOf(ofTeam)]).toEqual([[], []]);
  await settle('2027-03-01T09:00:00Z');
  expect([await tagsOf(ofSite), await tagsOf(ofTeam)]).toEqual([['opened'], []]);
  await settle('2027-03-01T12:00:00Z');
  expect([await tagsOf(ofSite), await tagsOf(ofTeam)]).toEqual([['opened'], ['opened']]);
  expect(await dueOf(looks)).toEqual([]);
  await settle('2027-03-01T17:00:01Z');
  expect([await tagsOf(ofSite), await tagsOf(ofTeam)]).toEqual([['closed', 'opened'], ['opened']]);
  const log = (): Promise<Json[]> => rest('GET', 'rule_runs');
  expect(await log()).toHaveLength(3);
  // The team closed and opened again between two looks: only the current state counts.
  await settle('2027-03-02T12:30:00Z');
  expect(await log()).toHaveLength(5);
});

test('new hours apply at once, without the changes that they would have caused before', async () => {
  await tagging({ on: 'office_closed' }, 'closed');
  const id = await chat();
  await settle('2027-03-01T12:00:00Z');
  await set('site.update', { office_hours: hoursOf('09:00', '11:00') });
  await settle('2027-03-01T12:01:00Z');
  expect(await tagsOf(id)).toEqual([]);
  await set('site.update', { office_hours: hoursOf('09:00', '13:00') });
  await settle('2027-03-01T13:00:00Z');
  expect(await tagsOf(id)).toEqual(['closed']);
});

test('a snoozed or closed chat, or one whose team no longer closes, is left alone', async () => {
  await set('site.update', { office_hours: OFFICE });
  const team = await rest('POST', 'teams', { name: 'Night', office_hours: hoursOf('08:00', '20:00') });
  await tagging({ on: 'office_closed' }, 'late');
  const [snoozed, closed, moved] = [await chat(), await chat(), await chat()];
  await rest('POST', 'conversation_snooze', { session_id: snoozed, minutes: 24 * 60 });
  await rest('PATCH', `conversations?session_id=${closed}`, { status: 'closed' });
  at = new Date('2027-03-01T17:00:00Z');
  for (const id of await dueOf(looks)) await looks.run(worker, id);
  await rest('PATCH', `conversations?session_id=${moved}`, { team_id: team.id });
  await settle('2027-03-01T17:00:01Z');
  expect([await tagsOf(snoozed), await tagsOf(closed), await tagsOf(moved)]).toEqual([[], [], []]);
});

test('a condition asks whether a chat or ticket is within the hours of its team or site', async () => {
  await set('site.update', { office_hours: OFFICE });
  const team = await rest('POST', 'teams', { name: 'Night', office_hours: hoursOf('20:00', '23:00') });
  const within = (state: string) => ({ all: [{ office_hours: state }] });
  const tried = async (on: string, state: string): Promise<number> =>
    (await rest('POST', 'rule_trials', { trigger: { on }, conditions: within(state) })).matched;
  const [, ofTeam] = [await chat(), await chat()];
  await rest('PATCH', `conversations?session_id=${ofTeam}`, { team_id: team.id });
  for (const team_id of [null, team.id])
    await rest('POST', 'tickets', {
      subject: 'A',
      body: 'B',
      requester: { email: 'a@example.com' },
      team_id,
    });
  const all = async (): Promise<number[]> =>
    Promise.all(
      ['conversation_started', 'ticket_created'].flatMap((on) => [tried(on, 'open'), tried(on, 'closed')]),
    );
  expect(await all()).toEqual([0, 2, 0, 2]);
  at = new Date('2027-03-01T10:00:00Z');
  expect(await all()).toEqual([1, 1, 1, 1]);
  await set('site.update', { office_hours: null });
  expect(await all()).toEqual([1, 1, 1, 1]);
  await rest('PATCH', `teams?id=${team.id}`, { office_hours: null });
  expect(await all()).toEqual([2, 0, 2, 0]);
});
