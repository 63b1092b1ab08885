import { randomUUID } from 'node:crypto';
import type { BotTrial, InputOf, Message } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { readRows } from '../../../test/database-rows.ts';
import { type ModelStub, startModelStub } from '../../../test/model-stub.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { questionLanguage, visitorLanguage } from './question-language.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let returns: number;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  returns = await publish(app, 'Returns', 'You can send anything back within 30 days of its delivery.');
  await publish(app, 'Care of wool', 'Wash wool blankets by hand in cold water and dry them flat.');
});

async function publish(at: TestApp, title: string, body: string): Promise<number> {
  const made = await at.rest(site.write, 'POST', '/v1/articles', { title, body, status: 'Published' });
  return made.body.data.id;
}

async function desk(operation: string, input: object): Promise<Json> {
  const { body } = await app.desk(cookie, operation, input);
  if (!body.ok) throw new Error(JSON.stringify(body.error));
  return body.data;
}
const trying = (question: string, more: Partial<InputOf<'bot.try'>> = {}): Promise<BotTrial> =>
  desk('bot.try', { question, ...more });

/** What a visitor's chat gets for one question. */
async function inChat(text: string): Promise<Message> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const said = { session_id: null, client_id: randomUUID(), text };
  const { session, message } = (await socket.call('chat.send', said)) as Json;
  await socket.subscribe(session.session_id);
  const answer = await socket.next(
    'message',
    (frame) => frame.message.sender !== 'visitor' && frame.message.seq > message.seq,
  );
  socket.cut();
  return answer.message;
}

/** Written a moment later, for earlier calls: the queue, and when a session or token was last used. */
const LATE = new Set(['auth_sessions', 'api_tokens', 'api_token_days']);

/** Everything stored in the database, at once. */
async function stored(at: TestApp): Promise<Map<string, readonly object[]>> {
  const rows = new Map(await readRows(at.app.database.db));
  for (const name of rows.keys()) if (LATE.has(name) || name.startsWith('foyer_jobs.')) rows.delete(name);
  return rows;
}

describe('a question to the bot', () => {
  it.each(['How many days do I have to send something back?', 'Do you sell car tyres?', 'Thank you!'])(
    'is answered as it is in a chat: %s',
    async (question) => {
      const [trial, message] = [await trying(question), await inChat(question)];
      expect({ text: trial.text, sources: trial.sources }).toEqual({
        text: message.text,
        sources: message.sources ?? [],
      });
    },
  );

  it('shows which articles came closest, and how sure the bot was', async () => {
    const trial = await trying('How many days do I have to send something back?');
    expect(trial).toMatchObject({
      kind: 'answer',
      by: 'knowledge',
      threshold: 0.72,
      model: null,
      sources: [{ article_id: returns, title: 'Returns' }],
    });
    expect(trial.candidates[0]).toEqual({
      id: returns,
      document_id: null,
      title: 'Returns',
      confidence: trial.confidence,
    });
    expect(trial.confidence).toBeGreaterThan(0.5);
  });

  it('names the rule that hands over, and says nothing', async () => {
    await desk('handoff_rules.create', { name: 'Money', words: ['refund*'] });
    expect(await trying('Where is my refund for what I sent back?')).toMatchObject({
      kind: 'handoff',
      text: null,
      handoff: 'rule',
      by: 'rule',
      why: 'Rule “Money”: the visitor wrote “refund*”.',
      confidence: null,
      candidates: [],
    });
    expect(await trying('I want to talk to a human')).toMatchObject({
      by: 'person',
      handoff: 'visitor_request',
    });
    await desk('bot.update', { enabled: false });
    expect(await trying('How can I return it?')).toMatchObject({ by: 'off', handoff: 'rule' });
  });

  it('hands over after the second unanswered question, as in a chat', async () => {
    const first = await trying('Do you sell car tyres?');
    expect(first).toMatchObject({ kind: 'unknown', handoff: null, misses: 1 });
    const second = await trying('Who won the election?', { misses: first.misses });
    expect(second).toMatchObject({ kind: 'unknown', handoff: 'no_answer' });
    expect(second.text).not.toBe(first.text);
  });

  it('is understood with the question before it', async () => {
    await publish(app, 'Delivery times', 'Parcels arrive within two days. On Sundays nothing is delivered.');
    await publish(app, 'Warranty', 'Lamps have a warranty of three years. It covers faults of the wiring.');
    const question = 'and how long is it?';
    const before = [{ sender: 'visitor', text: 'do lamps have a warranty?' } as const];
    expect((await trying(question)).kind).not.toBe('answer');
    expect(await trying(question, { before })).toMatchObject({ kind: 'answer', follows_up: true });
  });

  it('is answered in its own language', async () => {
    const { text } = await trying('Verkaufen Sie auch Autoreifen?');
    expect(text).toMatch(/^Das weiß ich leider nicht/);
  });

  it('is answered only from this site', async () => {
    const own = site;
    site = await app.makeSite();
    cookie = await app.signIn(site.admin.email);
    expect(await trying('How many days do I have to send something back?')).toMatchObject({
      kind: 'unknown',
      candidates: [],
    });
    site = own;
  });

  it('may be asked by every agent', async () => {
    const email = `ben-${randomUUID()}@example.com`;
    await makeAgent(site.operator, { email, name: 'Ben' });
    const theirs = await app.signIn(email, 'correct horse battery');
    expect((await app.desk(theirs, 'bot.try', { question: 'Returns?' })).status).toBe(200);
  });
});

test('a trial leaves nothing in the database', async () => {
  // Without a worker's recurring jobs, nothing else writes there.
  const quiet = await startTestApp({ FOYER_ROLE: 'web' });
  site = await quiet.makeSite();
  cookie = await quiet.signIn(site.admin.email);
  await publish(quiet, 'Returns', 'You can send anything back within 30 days of its delivery.');
  await quiet.desk(cookie, 'handoff_rules.create', { name: 'Money', words: ['refund*'] });
  const before = await stored(quiet);
  const questions = [
    'How many days to send it back?',
    'Do you sell car tyres?',
    'My refund',
    'A human!',
    'Hi',
  ];
  for (const question of questions) {
    const { body } = await quiet.desk(cookie, 'bot.try', { question, misses: 1 });
    expect(body.ok, JSON.stringify(body)).toBe(true);
  }
  expect(await stored(quiet)).toEqual(before);
  await quiet.close();
});

test('an agent can ask sixty questions a minute', async () => {
  const limited = await startTestApp({}, { admittedPerMinute: { trial: 2 } });
  const own = await limited.makeSite();
  const theirs = await limited.signIn(own.admin.email);
  const ask = () => limited.desk(theirs, 'bot.try', { question: 'Hello' });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  const { status, headers, body } = await ask();
  expect([status, body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  await limited.close();
});

describe('with a language model', () => {
  let stub: ModelStub;
  let modern: TestApp;
  beforeAll(async () => {
    stub = await startModelStub();
    modern = await startTestApp({
      FOYER_AI_BASE_URL: stub.url,
      FOYER_AI_MODEL: 'stub',
      FOYER_AI_KEY: 'secret-key',
      FOYER_ROLE: 'web',
    });
  });
  afterAll(async () => {
    await modern.close();
    await stub.close();
  });

  async function ask(question: string, more: object = {}): Promise<BotTrial> {
    return (await modern.desk(cookie, 'bot.try', { question, ...more })).body.data;
  }
  beforeEach(async () => {
    site = await modern.makeSite();
    cookie = await modern.signIn(site.admin.email);
    await publish(modern, 'Warranty', 'Lamps have a warranty of three years.');
    stub.asked.length = 0;
  });

  it('the answer is the model’s, which gets the earlier messages; its tokens are counted, but no reply', async () => {
    const tokens = { input: 120, output: 30 };
    const pieces = ['ANSWER\nQUOTE 1: a warranty of three years\n\n', 'For three years.'];
    stub.behave({ kind: 'writes', pieces, tokens });
    const before = [
      { sender: 'visitor', text: 'Do you sell desk lamps?' },
      { sender: 'bot', text: 'We do.' },
    ];
    const trial = await ask('how long is the warranty of lamps?', { before });
    expect(trial).toMatchObject({
      text: 'For three years.',
      by: 'model',
      confidence: null,
      model: {
        result: 'answer',
        problem: null,
        quotes: [{ title: 'Warranty', text: 'a warranty of three years' }],
        search: null,
        tokens,
      },
      sources: [{ title: 'Warranty' }],
      candidates: [{ title: 'Warranty' }],
    });
    expect(JSON.stringify(stub.asked[0]?.messages)).toContain('Do you sell desk lamps?');
    const usage = (await modern.rest(site.read, 'GET', '/v1/usage')).body.data;
    expect(usage).toMatchObject({ ai_replies: 0, bot_tokens_input: 120, bot_tokens_output: 30 });
  });

  it('that fails, the articles answer, and the result says so; only its use is counted', async () => {
    stub.behave({ kind: 'refuses', status: 500, body: 'no' });
    await modern.desk(cookie, 'bot.try', { question: 'warranty' });
    const before = await stored(modern);
    const trial = await ask('how long is the warranty of lamps?');
    expect(trial).toMatchObject({
      by: 'knowledge',
      kind: 'answer',
      model: { result: 'failed', problem: 'provider', quotes: [], tokens: { input: 0, output: 0 } },
    });
    const after = await stored(modern);
    const changed = [...after.keys()].filter(
      (name) => JSON.stringify(after.get(name)) !== JSON.stringify(before.get(name)),
    );
    expect(changed).toEqual(['ai_usage_days']);
  });
});

test('a language is known by its script and its function words, else it is the site’s', () => {
  const spoken: [string, string][] = [
    ['How do I return this?', 'en'],
    ['Wie kann ich das zurückgeben?', 'de'],
    ['返品できますか', 'ja'],
    ['可以退货吗', 'zh'],
    ['هل يمكنني إرجاعه؟', 'ar'],
    ['Чи можу я це повернути?', 'uk'],
    ['xyzzy', 'fr'],
  ];
  for (const [question, language] of spoken)
    expect(questionLanguage(question, 'fr'), question).toBe(language);
});

test('a visitor’s language is the one that the widget reports, unless the question clearly is in another', () => {
  const spoken: [string, 'en' | 'de' | 'pl' | 'fr', string][] = [
    ['Wie kann ich das zurückgeben?', 'en', 'de'],
    ['How do I return this?', 'pl', 'en'],
    ['Czy moge to zwrocic do sklepu?', 'pl', 'pl'],
    ['Jak długo trwa dostawa?', 'en', 'pl'],
    ['Die Lampe?', 'en', 'en'],
    ['返品できますか', 'de', 'ja'],
    ['warranty', 'fr', 'fr'],
  ];
  for (const [question, widget, language] of spoken)
    expect(visitorLanguage(question, widget), question).toBe(language);
});
