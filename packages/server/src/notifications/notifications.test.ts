import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { type Mailbox, shown, startMailbox } from '../../test/mailbox.ts';
import { type PushBrowser, startPushBrowser } from '../../test/push-service.ts';
import { TestSocket } from '../../test/sockets.ts';
import { holdUp } from '../../test/waiting.ts';
import { missedClock, sendMissedDigest } from './digest.ts';

const MINUTE_MS = 60_000;

let app: TestApp;
let mailbox: Mailbox;
let site: TestSite;
let cookie: string;
let phone: PushBrowser;
let aheadMs = 0;
const sockets: TestSocket[] = [];

beforeAll(async () => {
  mailbox = await startMailbox();
  const now = () => new Date(Date.now() + aheadMs);
  app = await startTestApp({ SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' }, { now });
});
beforeEach(async () => {
  [site, phone] = await Promise.all([app.makeSite(), startPushBrowser()]);
  cookie = await app.signIn(site.admin.email);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.cut();
  await phone.close();
});
afterAll(async () => {
  await app.close();
  await mailbox.close();
});

const asked = async (operation: string, input: object = {}, by = cookie): Promise<Json> => {
  const { status, body } = await app.desk(by, operation, input);
  if (status !== 200) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
};
const listed = async (): Promise<Json[]> => (await asked('notifications.list')).notifications;
/** Ada's phone takes pushes, and she is not at the desk. */
const allowPushes = async (): Promise<string> => {
  await asked('push_devices.add', phone.subscription);
  return (await asked('notification_settings.get')).push_key;
};
const leaveDesk = async (): Promise<void> => {
  const longAgo = new Date(Date.now() + aheadMs - 3 * 3_600_000);
  await app.app.database.db.updateTable('agents').set({ at_desk_at: longAgo }).execute();
};
const makeTicket = async (parts: object = {}): Promise<number> => {
  const ticket = {
    subject: 'A cracked shade',
    body: 'Look',
    requester: { key: randomUUID(), name: 'Priya' },
  };
  const { body } = await app.rest(site.write, 'POST', '/v1/tickets', { ...ticket, ...parts });
  return body.data.id;
};
const openDesk = async (): Promise<TestSocket> => {
  const socket = await TestSocket.agent(app.url, cookie);
  sockets.push(socket);
  return socket;
};
const visitorSays = async (text: string) => {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  sockets.push(socket);
  const send = (session_id: string | null, said: string): Promise<Json> =>
    socket.call('chat.send', { session_id, client_id: randomUUID(), text: said });
  const { session } = (await send(null, text)) as Json;
  return { id: session.session_id as string, socket, say: (said: string) => send(session.session_id, said) };
};
/** A colleague's session. */
const signInBen = async (): Promise<string> => {
  const person = {
    email: `${randomUUID()}@example.com`,
    name: 'Ben',
    role: 'agent' as const,
  };
  await makeAgent(site.operator, person);
  return app.signIn(person.email);
};
/** A chat that Ada has. */
const ownChat = async () => {
  const chat = await visitorSays('Hello');
  await asked('sessions.accept', { session_id: chat.id, take_over: true });
  return chat;
};

describe('the recipient of a notification', () => {
  it('is the whole team for a waiting chat, until somebody has it', async () => {
    const ben = await signInBen();
    const chat = await visitorSays('Hello');
    await chat.socket.call('chat.request_person', { session_id: chat.id, client_id: randomUUID() });
    for (const one of [cookie, ben])
      expect((await asked('notifications.list', {}, one)).notifications).toMatchObject([
        { kind: 'chat_waiting', session_id: chat.id, seen_utc: null, count: 1 },
      ]);
    await asked('sessions.accept', { session_id: chat.id, take_over: false }, ben);
    expect(await asked('notifications.list')).toEqual({ unseen: 0, notifications: [] });
  });

  it('is the chat’s agent, once for all messages while they did not look', async () => {
    const chat = await ownChat();
    await chat.say('Are you there?');
    await chat.say('Hello?');
    expect(await listed()).toMatchObject([{ kind: 'chat_message', count: 2, text: 'Hello?' }]);
    await asked('sessions.mark_read', { session_id: chat.id, seq: 9 });
    expect(await asked('notifications.list')).toMatchObject({ unseen: 0 });
    await chat.say('One more thing');
    expect(await listed()).toMatchObject([{ kind: 'chat_message', count: 1, seen_utc: null }]);
  });

  it('is not the agent who acted, nor anybody else for what is not theirs', async () => {
    const chat = await ownChat();
    await asked('sessions.reply', { session_id: chat.id, client_id: randomUUID(), text: 'Yes?' });
    await makeTicket();
    expect(await listed()).toEqual([]);
  });

  it('is the assignee of a ticket and of the reply to it, and the former one no longer', async () => {
    const id = await makeTicket({ assignee_id: site.admin.agentId });
    expect(await listed()).toMatchObject([
      {
        kind: 'ticket_assigned',
        ticket_id: id,
        visitor: { name: 'Priya' },
        text: 'A cracked shade',
        by: null,
      },
    ]);
    await app.rest(site.write, 'PATCH', `/v1/tickets?id=${id}`, { assignee_id: null });
    expect(await asked('notifications.list')).toMatchObject({ unseen: 0 });
  });
});

describe('the recipients for a team’s ticket', () => {
  let ben: string;
  let ofTeam: { assignee_id: null; team_id: number };
  beforeEach(async () => {
    ben = await signInBen();
    const { agents } = await asked('agents.list');
    const member_ids = agents.map(({ id }: { id: number }) => id);
    const { body } = await app.rest(site.write, 'POST', '/v1/teams', { name: 'Returns', member_ids });
    ofTeam = { assignee_id: null, team_id: body.data.id };
  });
  const change = (id: number, body: object) => app.rest(site.write, 'PATCH', `/v1/tickets?id=${id}`, body);

  it('are its members, until somebody is assigned, and again when nobody is', async () => {
    const id = await makeTicket(ofTeam);
    const news = [{ kind: 'ticket_team', ticket_id: id, count: 1, seen_utc: null }];
    for (const one of [cookie, ben])
      expect((await asked('notifications.list', {}, one)).notifications).toMatchObject(news);
    await change(id, { assignee_id: site.admin.agentId });
    expect(await asked('notifications.list', {}, ben)).toMatchObject({ unseen: 0 });
    expect((await listed()).filter(({ seen_utc }) => seen_utc === null)).toMatchObject([
      { kind: 'ticket_assigned', ticket_id: id },
    ]);
    await change(id, { assignee_id: null });
    expect((await asked('notifications.list', {}, ben)).notifications).toMatchObject(news);
    await change(id, { team_id: null });
    expect(await asked('notifications.list', {}, ben)).toMatchObject({ unseen: 0 });
  });

  it('include nobody outside the team', async () => {
    const { agents } = await asked('agents.list');
    const member_ids = agents.filter(({ name }: Json) => name === 'Ben').map(({ id }: Json) => id);
    await app.rest(site.write, 'PATCH', `/v1/teams?id=${ofTeam.team_id}`, { member_ids });
    await makeTicket(ofTeam);
    expect(await asked('notifications.list')).toEqual({ unseen: 0, notifications: [] });
    expect(await asked('notifications.list', {}, ben)).toMatchObject({ unseen: 1 });
  });

  it('exclude the agent who moves it there, and are none for a solved one or a ticket of no team', async () => {
    const id = await makeTicket();
    await asked('tickets.update', { id, team_id: ofTeam.team_id });
    expect(await asked('notifications.list')).toMatchObject({ unseen: 0 });
    expect(await asked('notifications.list', {}, ben)).toMatchObject({ unseen: 1 });
    await change(id, { team_id: null });
    await change(id, { status: 'solved' });
    await change(id, { team_id: ofTeam.team_id });
    expect(await asked('notifications.list', {}, ben)).toMatchObject({ unseen: 0 });
  });
});

describe('an agent’s desks', () => {
  it('get it at once, and only one of them shows it', async () => {
    const [laptop, tablet] = [await openDesk(), await openDesk()];
    await makeTicket({ assignee_id: site.admin.agentId });
    const [frame] = await Promise.all([laptop, tablet].map((socket) => socket.next('notified')));
    const { notification, telling, unseen } = frame ?? expect.fail('no frame');
    expect(unseen).toBe(1);
    expect(telling).toEqual({
      ways: { sound: false, push: true, mail: true },
      quiet: false,
      can_push: false,
    });
    const { id, happened_utc } = notification;
    const claims = await Promise.all([1, 2, 3].map(() => asked('notifications.tell', { id, happened_utc })));
    expect(claims.filter(({ yours }) => yours)).toHaveLength(1);
  });

  it('all remove what one of them has seen', async () => {
    const id = await makeTicket({ assignee_id: site.admin.agentId });
    const desk = await openDesk();
    await asked('notifications.see', { ticket_id: id });
    expect(await desk.next('notified')).toMatchObject({ unseen: 0, notification: { ticket_id: id } });
  });
});

describe('a push', () => {
  it('is sent to a browser whose desk is closed, readable by that browser alone', async () => {
    const key = await allowPushes();
    await leaveDesk();
    const id = await makeTicket({ assignee_id: site.admin.agentId });
    await phone.receiver.received(1);
    expect(phone.pushes(key)).toEqual([
      {
        title: `Foyer assigned you ticket #${id}`,
        body: 'A cracked shade',
        tag: `ticket-${id}`,
        path: `/app/inbox/tickets/${id}?site=${site.site.id}`,
      },
    ]);
    expect(phone.receiver.requests[0]?.body).not.toContain('shade');
  });

  it('is not sent for a kind that the agent has switched off, which is only listed', async () => {
    const key = await allowPushes();
    const member_ids = [site.admin.agentId];
    const { body } = await app.rest(site.write, 'POST', '/v1/teams', { name: 'Returns', member_ids });
    const { ways } = (await asked('notification_settings.get')).choices;
    const ticket_team = { sound: false, push: false, mail: false };
    await asked('notification_settings.update', { ways: { ...ways, ticket_team } });
    await leaveDesk();
    const silent = await makeTicket({ team_id: body.data.id });
    const told = await makeTicket({ assignee_id: site.admin.agentId });
    await phone.receiver.received(1);
    const { db } = app.app.database;
    await until(async () => {
      const { rows } = await sql<{ due: number }>`
        select count(*) as due from notifications where site_id = ${site.site.id} and push_due_at is not null`.execute(
        db,
      );
      return rows[0]?.due === 0;
    });
    expect(phone.pushes(key).map(({ tag }) => tag)).toEqual([`ticket-${told}`]);
    expect(await asked('notifications.list')).toMatchObject({
      unseen: 2,
      notifications: [{ ticket_id: told }, { kind: 'ticket_team', ticket_id: silent }],
    });
  });

  it('is in the agent’s language, and omits the contents if they want that', async () => {
    const key = await allowPushes();
    await leaveDesk();
    await asked('me.set_language', { language: 'de' });
    await asked('notification_settings.update', { hide_contents: true });
    await makeTicket({ assignee_id: site.admin.agentId });
    await phone.receiver.received(1);
    expect(phone.pushes(key)).toMatchObject([{ title: 'Foyer', body: 'Ihnen wurde ein Ticket zugewiesen' }]);
  });

  it('is not sent when a desk has shown it, when it was seen, and in quiet times', async () => {
    await allowPushes();
    await app.app.database.db.updateTable('agents').set({ at_desk_at: new Date() }).execute();
    await makeTicket({ assignee_id: site.admin.agentId });
    const [{ id, happened_utc }] = await listed();
    await asked('notifications.tell', { id, happened_utc });
    const seen = await makeTicket({ assignee_id: site.admin.agentId });
    await asked('notifications.see', { ticket_id: seen });
    await leaveDesk();
    await asked('me.set_presence', { presence: 'away' });
    const last = await makeTicket({ assignee_id: site.admin.agentId });
    const { db } = app.app.database;
    await until(async () => {
      const { rows } = await sql<{ due: number }>`
        select count(*) as due from notifications where site_id = ${site.site.id} and push_due_at is not null`.execute(
        db,
      );
      return rows[0]?.due === 0;
    });
    const { rows } = await sql`
      select from notifications where site_id = ${site.site.id} and pushed_at is not null`.execute(db);
    expect(rows).toEqual([]);
    expect(last).toBeGreaterThan(seen);
    expect(phone.receiver.requests).toEqual([]);
  });

  it('is retried while its service is down, shows that it was refused, and its browser is deleted when it is gone', async () => {
    const key = await allowPushes();
    const [{ id }] = (await asked('notification_settings.get')).devices;
    phone.answer(503);
    expect(await asked('push_devices.test', { id })).toEqual({ outcome: 'unreachable' });
    phone.answer(201);
    expect(await asked('push_devices.test', { id })).toEqual({ outcome: 'sent' });
    expect(phone.pushes(key).at(-1)).toMatchObject({ title: 'Notifications work' });
    phone.answer(403);
    expect(await asked('push_devices.test', { id })).toEqual({ outcome: 'refused' });
    const device = async () => (await asked('notification_settings.get')).devices[0];
    expect((await device()).refused_utc).not.toBeNull();
    phone.answer(201);
    await asked('push_devices.test', { id });
    expect((await device()).refused_utc).toBeNull();
    phone.answer(410);
    expect(await asked('push_devices.test', { id })).toEqual({ outcome: 'gone' });
    expect((await asked('notification_settings.get')).devices).toEqual([]);
  });

  it('ends with the session that allowed it', async () => {
    await allowPushes();
    const other = await app.signIn(site.admin.email);
    const headers = { cookie, origin: app.url, 'content-type': 'application/json' };
    await fetch(`${app.url}/app/auth/sign-out`, { method: 'POST', headers, body: '{}' });
    expect((await asked('notification_settings.get', {}, other)).devices).toEqual([]);
  });

  it('is limited to ten browsers of an agent, and to addresses of the public internet over https', async () => {
    const refused = await app.desk(cookie, 'push_devices.add', {
      ...phone.subscription,
      endpoint: 'http://push.example/1',
    });
    expect(refused.body.error.issues).toEqual([{ path: 'endpoint', message: 'must start with https://' }]);
    await allowPushes();
    const { db } = app.app.database;
    // Ten more, each of a session of its own.
    await sql`
      insert into auth_sessions (id, user_id, token, expires_at)
      select gen_random_uuid(), a.user_id, gen_random_uuid(), now() + interval '1 day'
      from agents a, generate_series(1, 10) where a.site_id = ${site.site.id}`.execute(db);
    await sql`
      insert into push_devices (site_id, agent_id, sign_in_id, endpoint, keys_cipher, created_at)
      select d.site_id, d.agent_id, s.id, d.endpoint || s.id, d.keys_cipher, now()
      from push_devices d join agents a on a.site_id = d.site_id and a.id = d.agent_id
      join auth_sessions s on s.user_id = a.user_id and s.id <> d.sign_in_id
      where d.site_id = ${site.site.id}`.execute(db);
    await asked('push_devices.add', phone.subscription, await app.signIn(site.admin.email));
    expect((await asked('notification_settings.get')).devices).toHaveLength(10);
  });
});

describe('missed notifications', () => {
  const mailsToAda = () => mailbox.received.filter(({ to }) => to.includes(site.admin.email));
  afterEach(() => {
    aheadMs = 0;
  });

  it('come in one mail, once, with a link that ends such mails without signing in', async () => {
    await leaveDesk();
    const first = await makeTicket({ assignee_id: site.admin.agentId });
    const second = await makeTicket({ assignee_id: site.admin.agentId, subject: 'A second one' });
    const seen = await makeTicket({ assignee_id: site.admin.agentId, subject: 'Seen in time' });
    await asked('notifications.see', { ticket_id: seen });
    aheadMs = 16 * MINUTE_MS;
    await until(async () => mailsToAda().length > 0);
    const [mail] = mailsToAda();
    const text = mail ? shown(mail) : '';
    expect(mail?.headers.subject).toBe('2 missed notifications from Lantern & Loom');
    for (const id of [first, second]) expect(text).toContain(`/app/inbox/tickets/${id}?site=${site.site.id}`);
    expect(text).not.toContain('Seen in time');
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');

    const link = /<(http[^>]+)>/.exec(mail?.headers['list-unsubscribe'] ?? '')?.[1] ?? '';
    const path = new URL(link).pathname;
    expect((await fetch(app.url + path)).status).toBe(200);
    expect((await asked('notification_settings.get')).choices.ways.mention.mail).toBe(true);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'List-Unsubscribe=One-Click';
    expect((await fetch(app.url + path, { method: 'POST', headers: form, body })).status).toBe(200);
    const { ways } = (await asked('notification_settings.get')).choices;
    expect(Object.values(ways).some(({ mail: on }: Json) => on)).toBe(false);
    expect((await fetch(`${app.url}${path.slice(0, -2)}xx`, { method: 'POST' })).status).toBe(404);
    expect(mailsToAda()).toHaveLength(1);
  });

  it('are gathered into one mail by two processes at once', async () => {
    await leaveDesk();
    await makeTicket({ assignee_id: site.admin.agentId });
    const holder = await holdUp(app.databaseUrl);
    // Both may read under it, and neither may write.
    await holder.query('select from notifications where site_id = $1 for share', [site.site.id]);
    aheadMs = 16 * MINUTE_MS;
    const job = app.app.contextFor(site.site, { kind: 'job' });
    const looks = [1, 2].map(() => missedClock.run(job, site.admin.agentId));
    await Promise.race([holder.awaited(looks.length), Promise.allSettled(looks)]);
    await holder.commit();
    await Promise.all(looks);
    const mails = await app.app.database.db
      .selectFrom('digest_mails')
      .select('agent_id')
      .where('site_id', '=', site.site.id)
      .execute();
    expect(mails).toEqual([{ agent_id: site.admin.agentId }]);
  });

  it('are not mailed twice when the process died after sending and before recording it', async () => {
    await makeTicket({ assignee_id: site.admin.agentId });
    const { db } = app.app.database;
    const { id } = await db
      .insertInto('digest_mails')
      .values({
        site_id: site.site.id,
        agent_id: site.admin.agentId,
        made_at: new Date(),
        begun_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('notifications')
      .set({ mail_id: id, mail_due_at: null })
      .where('site_id', '=', site.site.id)
      .execute();
    await sendMissedDigest(app.app.contextFor(site.site, { kind: 'job' }), { mail_id: id });
    expect(mailsToAda()).toEqual([]);
  });
});
