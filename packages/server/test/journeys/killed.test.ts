import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { launchChromium } from '../chromium.ts';
import { until } from '../harness.ts';
import { type Answer, answerWith, type Receiver, startReceiver } from '../receiver.ts';
import type { TestSocket } from '../sockets.ts';
import { comeBack, eventsOf, makeStand, openChat, type Stand, say } from '../stand.ts';

// The server is killed at the worst moment and started again on the same data folder (decisions 9).

let stand: Stand;
let receiver: Receiver;
let answer: Answer = answerWith(204);
beforeAll(async () => {
  stand = await makeStand();
  await importSampleKnowledge(stand.operator);
  receiver = await startReceiver((...request) => answer(...request));
  const made = await stand.rest('POST', '/v1/webhook_subscriptions', {
    url: receiver.url,
    events: ['handoff'],
  });
  expect(made.status).toBe(201);
});
afterAll(async () => {
  await receiver.close();
  await stand.strike();
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
  it('before its webhook was answered, is there after the restart, and goes out under the same id', async () => {
    // A receiver that takes the request and never answers: nobody knows what became of it.
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

  it('at the moment of its acknowledgement, reaches the receiver at least once, under one id', async () => {
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

describe('a visitor who is writing', () => {
  it('loses nothing, says nothing twice and keeps what is not sent, however the server is restarted', {
    timeout: 60_000,
  }, async () => {
    const browser = await launchChromium();
    try {
      const page = await browser.newPage({ viewport: { width: 400, height: 640 } });
      await page.goto(`${stand.url}/widget/${stand.publicKey}`);
      await page.getByText('Send us a message').click();
      const field = page.getByPlaceholder('Write a message…');
      const write = async (text: string) => {
        await field.fill(text);
        await field.press('Enter');
      };
      await write('Can I talk to a person?');
      await page.getByText('Nobody from the team is here right now').waitFor();
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
    } finally {
      await browser.close();
    }
  });
});

describe('messages that are sent while the server is killed', () => {
  it('are all there once when they were acknowledged or sent again, and numbered without a gap', async () => {
    const { socket, welcome, id } = await openChat(stand);
    await requestPerson(socket, id);
    let line: TestSocket = socket;
    const acknowledged: string[] = [];
    const sendUntilGone = async (): Promise<void> => {
      for (;;) {
        const client = randomUUID();
        // As a widget does: what was not acknowledged is sent again, under its id.
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

describe('the bot’s turn, killed while it is under way', () => {
  it('is taken after the restart, once', async () => {
    const { socket, welcome, id } = await openChat(stand);
    await socket.next('message', ({ message }) => message.sender === 'bot');
    // The turn can't end while nobody can read the articles.
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

// The last, because what it brings in is knowledge of the same site.
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
    // Pressed again by somebody who saw nothing happen.
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
