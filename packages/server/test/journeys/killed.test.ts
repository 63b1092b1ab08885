import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { makeAgent } from '../accounts.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { endSessionAt, signInAgain, signInto } from '../desk-session.ts';
import { until } from '../harness.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { type Answer, answerWith, type Receiver, startReceiver } from '../receiver.ts';
import type { TestSocket } from '../sockets.ts';
import { comeBack, eventsOf, makeStand, openChat, type Stand, say } from '../stand.ts';

// The server is killed at the worst moment and restarted on the same data folder.

let stand: Stand;
let mailbox: Mailbox;
let receiver: Receiver;
let browser: TestBrowser;
let answer: Answer = answerWith(204);
beforeAll(async () => {
  mailbox = await startMailbox();
  const environment = { SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' };
  [browser, stand] = await Promise.all([openBrowser({ fetchesAhead: true }), makeStand(environment)]);
  await importSampleKnowledge(stand.operator);
  receiver = await startReceiver((...request) => answer(...request));
  const made = await stand.rest('POST', '/v1/webhook_subscriptions', {
    url: receiver.url,
    events: ['handoff'],
  });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  await browser.close();
  await receiver.close();
  await stand.strike();
  await mailbox.close();
});
afterEach(() => {
  answer = answerWith(204);
});

async function killAndStart(): Promise<void> {
  await stand.foyer.end('SIGKILL');
  await stand.foyer.start();
}

const requestPerson = (socket: TestSocket, session_id: string) =>
  socket.call('chat.request_person', { session_id, client_id: randomUUID() });

describe('a visitor’s request for a person, killed', () => {
  it('before its webhook was answered, is there after the restart, and is sent under the same id', async () => {
    // A receiver that accepts the request and never responds: the outcome is unknown.
    answer = () => undefined;
    const { socket, welcome, id } = await openChat(stand);
    expect(await requestPerson(socket, id)).toMatchObject({ status: 'waiting' });
    await until(async () => eventsOf(receiver.requests, 'handoff', id).length === 1);
    answer = answerWith(204);
    await killAndStart();
    const back = await comeBack(stand, welcome);
    expect(back.welcome.sessions).toMatchObject([{ session_id: id, status: 'waiting' }]);
    await until(async () => eventsOf(receiver.requests, 'handoff', id).length === 2);
    const [first, second] = eventsOf(receiver.requests, 'handoff', id);
    expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery']);
    expect(second?.body).toEqual(first?.body);
    const handoffs = await stand.rest('GET', '/v1/handoffs');
    expect(handoffs.body.data.filter((one: { session_id: string }) => one.session_id === id)).toHaveLength(1);
  });

  it('at the moment of its acknowledgement, reaches the receiver at least once, under the same id', async () => {
    const { socket, id } = await openChat(stand);
    await requestPerson(socket, id);
    await killAndStart();
    await until(async () => eventsOf(receiver.requests, 'handoff', id).length > 0);
    const log = async () =>
      (await stand.rest('GET', '/v1/webhook_deliveries?event=handoff')).body.data.find(
        (one: { payload: { session_id: string } }) => one.payload.session_id === id,
      );
    await until(async () => (await log()).status === 'delivered');
    const sent = eventsOf(receiver.requests, 'handoff', id);
    expect(new Set(sent.map(({ headers }) => headers['x-service-delivery']))).toEqual(
      new Set([(await log()).delivery_id]),
    );
  });
});

describe('a snoozed chat, killed', () => {
  it('comes back if its time passes while no process runs', async () => {
    const cookie = await stand.signIn();
    const { socket, id: session_id } = await openChat(stand);
    const ask = async (operation: string, input: object = {}) =>
      (await stand.desk(cookie, operation, { session_id, ...input })).body.data;
    await ask('sessions.accept');
    const until_utc = new Date(Date.now() + 3_600_000).toISOString();
    await ask('sessions.snooze', { until_utc });
    await killAndStart();
    expect(await ask('sessions.get')).toMatchObject({ snoozed_until_utc: until_utc });
    // PostgreSQL keeps running without a process that could end a snooze.
    await stand.foyer.end('SIGKILL');
    await sql`update conversations set snoozed_until = now() where session_id = ${session_id}`.execute(
      stand.database.db,
    );
    await stand.foyer.start();
    await until(async () => (await ask('sessions.get')).snoozed_until_utc === null);
    expect(await ask('sessions.get')).toMatchObject({ status: 'active', marked_unread: true });
    socket.cut();
  });
});

describe('a visitor who is writing', () => {
  it('loses nothing, sends nothing twice and keeps unsent text, however the server is restarted', async () => {
    const page = await browser.newPage({ viewport: { width: 400, height: 640 } });
    await page.goto(`${stand.url}/widget/${stand.publicKey}`);
    await page.getByText('Send us a message').click();
    const field = page.getByPlaceholder('Write a message…');
    const write = async (text: string) => {
      await field.fill(text);
      await field.press('Enter');
    };
    await write('Can I talk to a person?');
    await page.getByText('The team is away right now').waitFor();
    const told = ['Can I talk to a person?'];
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const texts = [`on the way, ${signal}`, `meanwhile, ${signal}`] as const;
      await write(texts[0]);
      const ended = stand.foyer.end(signal);
      await write(texts[1]);
      await ended;
      await field.pressSequentially('not sent yet');
      await stand.foyer.start();
      await page.locator('.message-pending').first().waitFor({ state: 'detached' });
      expect(await field.inputValue()).toBe('not sent yet');
      told.push(...texts);
    }
    expect(await page.locator('.message-own .bubble').allTextContents()).toEqual(told);
    await page.reload();
    await page.getByRole('button', { name: /meanwhile, SIGKILL/ }).click();
    await expect.poll(() => field.inputValue()).toBe('not sent yet');
    const chats = await stand.database.db
      .selectFrom('conversations')
      .select('session_id')
      .where('last_text', '=', 'meanwhile, SIGKILL')
      .execute();
    expect(chats).toHaveLength(1);
    const messages = await stand.transcript(chats[0]?.session_id ?? '');
    expect(messages.flatMap(({ sender, text }) => (sender === 'visitor' ? [text] : []))).toEqual(told);
    await page.close();
  });
});

describe('an agent who is writing', () => {
  const desks: BrowserContext[] = [];
  let ticket = 0;
  /** A new browser with a signed-in agent. */
  const openDesk = async (): Promise<BrowserContext> => {
    const desk = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    });
    desks.push(desk);
    await signInto(desk, await stand.signIn(), stand.url);
    return desk;
  };
  /** Opens a page with unsaved text. */
  const writeOn = async (
    desk: BrowserContext,
    path: string,
    write: (page: Page) => Promise<void>,
  ): Promise<Page> => {
    const page = await desk.newPage();
    await page.goto(`${stand.url}/app/${path}`);
    await write(page);
    return page;
  };
  const saveAfterSigningIn = async (page: Page, name: string, operation: string): Promise<void> => {
    await endSessionAt(page, operation);
    await page.getByRole('button', { name, exact: true }).click();
    await signInAgain(page, stand.email);
    await page.getByRole('button', { name, exact: true }).click();
  };

  beforeAll(async () => {
    const requester = { name: 'Priya' };
    const made = await stand.rest('POST', '/v1/tickets', { subject: 'A shade', body: 'Look', requester });
    ticket = made.body.data.id;
  });
  afterAll(() => Promise.all(desks.map((desk) => desk.close())));

  it('loses no note, article, setting, macro or segment, sees the outage, and saves them afterwards', async () => {
    const noteOf = (page: Page) => page.getByRole('textbox', { name: 'Note', exact: true });
    const nameOf = (page: Page) => page.getByLabel('Name', { exact: true });
    // A session ends for all pages of its browser.
    const [desk, other, another] = await Promise.all([openDesk(), openDesk(), openDesk()]);
    const [note, article, setting, macro, segment] = await Promise.all([
      writeOn(desk, `inbox/tickets/${ticket}`, async (page) => {
        await page.getByRole('tab', { name: 'Note' }).click();
        await noteOf(page).fill('The third one');
      }),
      writeOn(desk, 'knowledge/new', (page) => page.getByLabel('Title').fill('Caring for linen')),
      writeOn(desk, 'settings/site', (page) => nameOf(page).fill('Lantern & Lace')),
      writeOn(other, 'settings/macros/new', async (page) => {
        await nameOf(page).fill('Thanks');
        await page.getByRole('button', { name: 'Add step' }).click();
        await page.getByRole('menuitem', { name: 'Reply' }).click();
        await page.getByRole('textbox', { name: 'Reply' }).fill('Thank you.');
      }),
      writeOn(another, 'visitors/segments/new', async (page) => {
        await page.getByLabel('Segment name').fill('Buyers');
        await page.getByPlaceholder('Attribute').fill('plan');
        await page.getByPlaceholder('Value').fill('pro');
      }),
    ]);
    await stand.foyer.end('SIGKILL');
    const all = [note, article, setting, macro, segment];
    for (const page of all) await page.getByText('You’re offline. Your').waitFor();
    await setting.getByRole('button', { name: 'Save', exact: true }).click();
    await setting.getByRole('alert').getByText('Couldn’t save the settings.').waitFor();
    await note.getByRole('button', { name: 'Add note' }).click();
    await stand.foyer.start();
    await Promise.all(all.map((page) => page.getByText('You’re offline').waitFor({ state: 'detached' })));
    await note.getByRole('log').getByText('The third one').waitFor();
    await article.getByRole('button', { name: 'Save', exact: true }).click();
    await article.waitForURL(/knowledge\/\d+$/);
    await setting.getByRole('button', { name: 'Save', exact: true }).click();
    await setting.getByText('Saved. Visitors see it within a minute.').waitFor();
    await saveAfterSigningIn(macro, 'Create macro', 'macros.create');
    await macro.getByRole('list').getByText('Thanks').waitFor();
    await saveAfterSigningIn(segment, 'Save', 'segments.create');
    await segment.getByRole('link', { name: /Buyers/ }).waitFor();
    const { body } = await stand.rest('GET', '/v1/macros');
    expect(body.data[0].actions).toEqual([{ type: 'reply', body: 'Thank you.' }]);
  });
});

describe('messages that are sent while the server is killed', () => {
  it('are stored once if they were acknowledged or sent again, and numbered without a gap', async () => {
    const { socket, welcome, id } = await openChat(stand);
    await requestPerson(socket, id);
    let line: TestSocket = socket;
    const acknowledged: string[] = [];
    const sendUntilGone = async (): Promise<void> => {
      for (;;) {
        const client = randomUUID();
        // Like a widget: sends unacknowledged messages again, under their id.
        const retried = async (): Promise<void> => {
          const on = line;
          try {
            await say(on, id, 'one of many', client);
          } catch {
            if (stopped) return;
            await until(async () => line !== on || stopped);
            return retried();
          }
          acknowledged.push(client);
        };
        await retried();
        if (stopped) return;
      }
    };
    let stopped = false;
    const senders = Array.from({ length: 4 }, sendUntilGone);
    for (const enough of [20, 60, 100]) {
      await until(async () => acknowledged.length >= enough);
      await killAndStart();
      line = (await comeBack(stand, welcome)).socket;
    }
    await until(async () => acknowledged.length >= 140);
    stopped = true;
    await Promise.all(senders);

    const seen = (await comeBack(stand, welcome)).socket;
    await seen.subscribe(id);
    const last = (await stand.transcript(id)).at(-1)?.seq ?? 0;
    await seen.next('message', ({ message }) => message.seq === last);
    const messages = seen.messagesOf(id);
    expect(messages.map(({ seq }) => seq)).toEqual(messages.map((_, index) => index + 1));
    const stored = messages.map(({ client_id }) => client_id);
    expect(new Set(stored).size).toBe(stored.length);
    const found = new Set(stored);
    expect(acknowledged.filter((client) => !found.has(client))).toEqual([]);
  });
});

describe('the bot’s turn, killed while it runs', () => {
  it('is completed after the restart, once', async () => {
    const { socket, welcome, id } = await openChat(stand);
    await socket.next('message', ({ message }) => message.sender === 'bot');
    // The turn can't end while the articles are locked.
    const hold = await stand.database.db.startTransaction().execute();
    await sql`lock table articles in access exclusive mode`.execute(hold);
    const asked = await say(socket, id, 'How many days do I have to return something?');
    const jobsIn = async (condition: string): Promise<number> => {
      const { rows } = await stand.database.pool.query(
        `select from foyer_jobs.job where singleton_key = $1 and ${condition}`,
        [id],
      );
      return rows.length;
    };
    await until(async () => (await jobsIn(`state = 'active'`)) > 0);
    await stand.foyer.end('SIGKILL');
    await hold.rollback().execute();
    await stand.foyer.start();
    const back = await comeBack(stand, welcome);
    await back.socket.subscribe(id, asked.message.seq);
    const reply = await back.socket.next('message', ({ message }) => message.sender === 'bot');
    expect(reply.message.text).toMatch(/30/);
    await until(async () => (await jobsIn(`state < 'completed'`)) === 0);
    const own = (await stand.transcript(id)).filter(({ sender }) => sender === 'bot');
    expect(own).toHaveLength(2);
  });
});

describe('background work for the team, killed', () => {
  const ben = 'ben@killed.example';
  const tickets: number[] = [];
  let bulkId = 0;
  let cookie = '';
  const bulk = async () => (await stand.desk(cookie, 'bulk_changes.get', { id: bulkId })).body.data;
  const mailsTo = (address: string) => mailbox.received.filter(({ to }) => to.includes(address));
  const mailOf = async (agentId: number) =>
    stand.database.db
      .selectFrom('digest_mails')
      .select(['begun_at', 'sent_at'])
      .where('agent_id', '=', agentId)
      .executeTakeFirst();
  const makeTicket = async (parts: object = {}): Promise<number> => {
    const ticket = { subject: 'A cracked shade', body: 'Look', requester: { name: 'Priya' }, ...parts };
    return (await stand.rest('POST', '/v1/tickets', ticket)).body.data.id;
  };

  beforeAll(async () => {
    const { db, pool } = stand.database;
    cookie = await stand.signIn();
    const adaId = (await stand.desk(cookie, 'me.get')).body.data.agent.id;
    const benId = (await makeAgent(stand.operator, { email: ben, name: 'Ben' })).id;
    await Promise.all([adaId, benId].map((assignee_id) => makeTicket({ assignee_id })));
    tickets.push(...(await Promise.all(Array.from({ length: 20 }, () => makeTicket()))));

    const macro = await stand.desk(cookie, 'macros.create', {
      name: 'On it',
      actions: [{ type: 'reply', body: 'We are on it.' }],
    });
    // Two of three concurrent jobs are blocked, so that all others are done and these are not.
    const hold = await db.startTransaction().execute();
    await sql`select from tickets where id = any (${tickets.slice(8, 10)}::bigint[]) for update`.execute(
      hold,
    );
    const begun = await stand.desk(cookie, 'bulk_changes.start', {
      of: { tickets, sessions: [] },
      change: { action: 'apply_macro', macro_id: macro.body.data.id },
    });
    bulkId = begun.body.data.id;
    await until(async () => (await bulk()).succeeded === tickets.length - 2);

    mailbox.leaveWaiting(stand.email);
    mailbox.refuseWith({ code: 451, at: 'rcpt', to: ben });
    await sql`update agents set at_desk_at = now() - interval '1 day'`.execute(db);
    await sql`update notifications set mail_due_at = now() where mail_due_at is not null`.execute(db);
    await stand.foyer.end('SIGKILL');
    await hold.rollback().execute();
    await stand.foyer.start();

    // The mail server has one mail but never confirmed it; the other is to be tried again.
    await until(async () => mailsTo(stand.email).length > 0 && mailbox.refused() > 0);
    await until(async () => (await mailOf(benId))?.begun_at === null);
    await stand.foyer.end('SIGKILL');
    mailbox.leaveWaiting(undefined);
    mailbox.refuseWith(undefined);
    await stand.foyer.start();
    await until(async () => {
      // Failed mails wait for half a minute; this test shortens that.
      const { rows } = await pool.query(`
        update foyer_jobs.job set start_after = case when state = 'retry' then now() else start_after end
        where name = 'notifications.mail' and state < 'completed' returning 1`);
      return rows.length === 0;
    });
    expect(await mailOf(adaId)).toMatchObject({ begun_at: expect.any(Date), sent_at: null });
    expect(await mailOf(benId)).toMatchObject({ sent_at: expect.any(Date) });
  }, 120_000);

  it('a bulk change continues where it was, does nothing twice, and reports its result', async () => {
    await until(async () => (await bulk()).finished_utc !== null);
    expect(await bulk()).toMatchObject({ total: tickets.length, succeeded: tickets.length, failed: 0 });
    const { rows } = await sql<{ replies: number }>`
      select count(*)::int as replies from ticket_replies where ticket_id = any (${tickets}::bigint[])
      group by ticket_id`.execute(stand.database.db);
    expect(rows).toEqual(tickets.map(() => ({ replies: 1 })));
  });

  it('a digest that no server has accepted yet is sent', () => {
    expect(mailsTo(ben)).toHaveLength(1);
  });

  it('a digest that may have been accepted is not sent again', () => {
    expect(mailsTo(stand.email)).toHaveLength(1);
  });
});

// Comes last, because it imports knowledge into the same site.
describe('training rows that are being moved, killed', () => {
  it('become one article each, none lost and none twice', async () => {
    const rows = 3_000;
    const csv = Array.from({ length: rows }, (_, at) => `How does part ${at} work?,Like part ${at}.`).join(
      '\n',
    );
    const cookie = await stand.signIn();
    const imported = await stand.desk(cookie, 'training_rows.import', { text: `question,answer\n${csv}` });
    expect(imported.body.data).toMatchObject({ created: rows, failed: [] });
    await stand.desk(cookie, 'training_moves.start', { category: 'Moved' });
    const move = async () => (await stand.desk(cookie, 'training_moves.get')).body.data.move;
    await until(async () => (await move()).moved > 0);
    await killAndStart();
    // As if somebody pressed the button again because nothing seemed to happen.
    await stand.desk(cookie, 'training_moves.start', { category: 'Moved' });
    await until(async () => (await move()).ended_utc !== null);
    const { count } = (await stand.desk(cookie, 'articles.count', { category: 'Moved' })).body.data;
    expect(count).toBe(rows);
    const { rows: moved } = await sql<{ articles: number; left: number }>`
      select count(distinct article_id)::int as articles, count(*) filter (where moved_at is null)::int as left
      from training_rows where site_id = ${stand.operator.site.id}`.execute(stand.database.db);
    expect(moved).toEqual([{ articles: rows, left: 0 }]);
  });
});

describe('a CSV of visitors that is being imported', () => {
  it('continues after a kill where it was: every row is imported once', async () => {
    const rows = 1_500;
    const lines = Array.from({ length: rows }, (_, at) => `p${at}@example.com,P ${at}\n`);
    const file = `email,name\n${lines.join('')}`;
    const cookie = await stand.signIn();
    const ask = async (operation: string, input: object) =>
      (await stand.desk(cookie, operation, input)).body.data;
    const { id } = await ask('imports.create', {
      kind: 'visitors',
      file_name: 'people.csv',
      bytes: file.length,
    });
    await fetch(`${stand.url}/app/imports/${id}/parts/1`, {
      method: 'PUT',
      headers: { cookie, origin: stand.url },
      body: file,
    });
    const look = () => ask('imports.get', { id });
    await until(async () => (await look()).state === 'ready');
    await ask('imports.start', { id, columns: (await look()).csv.guess });
    await until(async () => (await look()).done > 10);
    await killAndStart();
    const back = await look();
    expect(back.state).toBe('running');
    expect(back.done).toBeLessThan(rows);
    await until(async () => (await look()).state === 'done');
    expect(await look()).toMatchObject({ done: rows, taken: rows, updated: 0, unchanged: 0, not_taken: 0 });
    const { rows: people } = await sql<{ all: number; different: number }>`
      select count(*)::int as all, count(distinct email)::int as different from visitors
      where site_id = ${stand.operator.site.id} and email ~ '^p[0-9]+@example'`.execute(stand.database.db);
    expect(people).toEqual([{ all: rows, different: rows }]);
  });
});
