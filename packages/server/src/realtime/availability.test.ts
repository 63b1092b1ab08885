import { randomUUID } from 'node:crypto';
import type { OfficeHours } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { TestSocket } from '../../test/sockets.ts';

const DAY = [{ from: '09:00', to: '17:00' }];
const HOURS: OfficeHours = {
  time_zone: 'Europe/Berlin',
  weekly: {
    monday: DAY,
    tuesday: DAY,
    wednesday: DAY,
    thursday: DAY,
    friday: DAY,
    saturday: [],
    sunday: [],
  },
  holidays: [
    { date: '2026-05-25', name: 'Whit Monday' },
    { date: '2026-12-25', name: 'Christmas Day' },
  ],
};

let app: TestApp;
let site: TestSite;
let cookie: string;
/** Saturday before a Monday that is a holiday. */
let time = Date.parse('2026-05-23T10:00:00Z');

beforeAll(async () => {
  app = await startTestApp({}, { now: () => new Date(time) });
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const visit = () => TestSocket.visitor(app.url, site.publicKey);
const setHours = (office_hours: OfficeHours | null) => app.desk(cookie, 'site.update', { office_hours });

test('a site without office hours is open, and nobody is online', async () => {
  const { welcome } = await visit();
  expect(welcome).toMatchObject({ agents_online: false, open: true, next_opening_utc: null, hours: null });
});

test('visitors see that the site can send mail once it is set up, and that it no longer can', async () => {
  const { socket, welcome } = await visit();
  expect(welcome).toMatchObject({ mails: false });
  const server = { host: 'mail.shop.example', port: 587, security: 'starttls', user: null };
  await app.desk(cookie, 'mail.set', { ...server, from_name: null, from_address: 'help@shop.example' });
  await socket.next('availability', ({ mails }) => mails);
  expect((await visit()).welcome).toMatchObject({ mails: true });
  await app.desk(cookie, 'mail.clear');
  await socket.next('availability', ({ mails }) => !mails);
});

test('visitors see new hours, with the next holidays, and their removal', async () => {
  const { socket } = await visit();
  expect((await setHours(HOURS)).status).toBe(200);
  expect(await socket.next('availability', ({ hours }) => hours !== null)).toMatchObject({
    open: false,
    next_opening_utc: '2026-05-26T07:00:00.000Z',
    hours: { time_zone: 'Europe/Berlin', holidays: [{ name: 'Whit Monday' }] },
  });
  const { welcome } = await visit();
  expect(welcome).toMatchObject({ open: false, next_opening_utc: '2026-05-26T07:00:00.000Z' });
  socket.frames.length = 0;
  await setHours(null);
  expect(await socket.next('availability')).toMatchObject({ open: true, hours: null });
});

test('the office opens and closes by the clock, for connected visitors too', async () => {
  await setHours(HOURS);
  const { socket, welcome } = await visit();
  expect(welcome.open).toBe(false);
  time = Date.parse('2026-05-26T07:00:00Z');
  app.app.live.availability.check();
  expect(await socket.next('availability', ({ open }) => open)).toMatchObject({ next_opening_utc: null });
  socket.frames.length = 0;
  time = Date.parse('2026-05-26T15:00:00Z');
  app.app.live.availability.check();
  expect(await socket.next('availability', ({ open }) => !open)).toMatchObject({
    next_opening_utc: '2026-05-27T07:00:00.000Z',
  });
});

test('nothing is sent twice, and nothing to the visitors of another site', async () => {
  const other = await app.makeSite();
  const elsewhere = await TestSocket.visitor(app.url, other.publicKey);
  await setHours(null);
  const { socket } = await visit();
  await setHours(HOURS);
  await socket.next('availability', ({ hours }) => hours !== null);
  await app.desk(cookie, 'site.update', { greeting: 'Welcome' });
  await setHours(null);
  await socket.next('availability', ({ hours }) => hours === null);
  expect(socket.frames.filter(({ type }) => type === 'availability')).toHaveLength(2);
  expect(elsewhere.socket.frames.filter(({ type }) => type === 'availability')).toEqual([]);
});

test('overlapping hours are refused with their path, and the old ones stay', async () => {
  await setHours(HOURS);
  const monday = [...DAY, { from: '16:00', to: '18:00' }];
  const { status, body } = await setHours({ ...HOURS, weekly: { ...HOURS.weekly, monday } });
  expect(status).toBe(400);
  expect(body.error.issues[0].path).toBe('office_hours.weekly.monday');
  const me = await app.desk(cookie, 'me.get');
  expect(me.body.data.site.office_hours).toEqual(HOURS);
});

test('an agent who is away, idle or invisible does not count, and one who returns does', async () => {
  const { socket } = await visit();
  const agent = await TestSocket.agent(app.url, cookie);
  const counts = async (there: boolean): Promise<void> => {
    await socket.next('availability', ({ agents_online }) => agents_online === there);
    socket.frames.length = 0;
  };
  await counts(true);
  agent.send({ type: 'idle', idle: true });
  await counts(false);
  agent.send({ type: 'idle', idle: false });
  await counts(true);
  for (const presence of ['away', 'invisible']) {
    await app.desk(cookie, 'me.set_presence', { presence });
    await counts(false);
    // A chosen presence is remembered.
    const again = await TestSocket.agent(app.url, cookie);
    expect((await app.desk(cookie, 'me.get')).body.data.presence).toBe(presence);
    expect((await visit()).welcome.agents_online).toBe(false);
    again.cut();
    await app.desk(cookie, 'me.set_presence', { presence: 'online' });
    await counts(true);
  }
  agent.cut();
  await counts(false);
});

test('with routing on, a waiting visitor gets an agent as soon as one is online', async () => {
  await app.desk(cookie, 'site.update', { routing: 'round_robin' });
  const { socket } = await visit();
  const asked = { session_id: null, client_id: randomUUID() };
  await socket.call('chat.request_person', asked);
  await socket.next('session', ({ session }) => session.status === 'waiting');
  const agent = await TestSocket.agent(app.url, cookie);
  const { session } = await socket.next('session', ({ session }) => session.status === 'active');
  expect(session.agent).toEqual({ id: site.admin.agentId, name: 'Ada', picture_url: null });
  await agent.next('session_changed', ({ session }) => session.agent?.id === site.admin.agentId);
  agent.cut();
  socket.cut();
});

test('invisible and away agents, and those without capacity, get no chat: it waits for the next one who comes online', async () => {
  const email = `${randomUUID()}@example.com`;
  const ben = await makeAgent(site.operator, { email, name: 'Ben' });
  const benCookie = await app.signIn(email);
  const benPresence = (presence: string) => app.desk(benCookie, 'me.set_presence', { presence });
  const benDesk = await TestSocket.agent(app.url, benCookie);
  const adaDesk = await TestSocket.agent(app.url, cookie);
  const askForPerson = async () => {
    const { socket } = await visit();
    await socket.call('chat.request_person', { session_id: null, client_id: randomUUID() });
    return socket;
  };
  const holderOf = async (socket: TestSocket): Promise<number | undefined> =>
    (await socket.next('session', ({ session }) => session.status === 'active')).session.agent?.id;
  await app.desk(cookie, 'agents.set_chat_limit', { id: site.admin.agentId, chat_limit: 2 });

  await benPresence('invisible');
  const first = await askForPerson();
  expect(await holderOf(first)).toBe(site.admin.agentId);
  // Ada has her two now, and Ben is unavailable in both states.
  const second = await askForPerson();
  await benPresence('away');
  await second.next('session', ({ session }) => session.status === 'waiting');
  await adaDesk.next('session_changed', ({ session }) => session.status === 'waiting');
  // Ada goes away while somebody waits; Ben, who comes online, gets the chat.
  await app.desk(cookie, 'me.set_presence', { presence: 'away' });
  await benPresence('online');
  expect(await holderOf(second)).toBe(ben.id);
  for (const socket of [first, second, benDesk, adaDesk]) socket.cut();
});
