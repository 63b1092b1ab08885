import { randomUUID } from 'node:crypto';
import type { InputOf, Message, OperationName } from '@foyer/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { TestSocket } from '../../test/sockets.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let returnsId: number;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  returnsId = await publish(
    'Returns',
    'You can send anything back within 30 days of its delivery, free of charge.',
  );
  await publish('Care of wool', 'Wash wool blankets by hand in cold water and dry them flat.');
});
afterAll(() => app.close());

async function publish(title: string, body: string): Promise<number> {
  const made = await app.rest(site.write, 'POST', '/v1/articles', { title, body, status: 'Published' });
  return made.body.data.id;
}

async function desk<N extends OperationName>(operation: N, input: InputOf<N>): Promise<Json> {
  const answer = await tryDesk(operation, input);
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ ok: true });
  return answer.body.data;
}
const tryDesk = (operation: OperationName, input: object): Promise<Answer> =>
  app.desk(cookie, operation, input);

/** A visitor who writes messages and waits for what the other side says or does. */
async function openChat(pageUrl?: string) {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  let id: string | null = null;
  const say = async (text: string): Promise<Message> => {
    const page = pageUrl === undefined ? {} : { page_url: pageUrl };
    const sent = (await socket.call('chat.send', {
      session_id: id,
      client_id: randomUUID(),
      text,
      ...page,
    })) as { session: { session_id: string } | null; message: { seq: number } };
    if (sent.session) {
      id = sent.session.session_id;
      await socket.subscribe(id);
    }
    const { seq } = sent.message;
    return (await socket.next('message', ({ message }) => message.sender !== 'visitor' && message.seq > seq))
      .message;
  };
  return { socket, say, id: () => id ?? '' };
}

const handoffOf = async (sessionId: string): Promise<Json> =>
  (await desk('sessions.get', { session_id: sessionId })).handoff;

describe('a chat is handed over', () => {
  it('by a rule of the site, with its name and what matched it, even if an article would answer', async () => {
    const rule = await desk('handoff_rules.create', {
      name: 'Money',
      words: ['refund*'],
      pages: ['/checkout'],
    });
    const elsewhere = await openChat('https://shop.example/lamps');
    expect((await elsewhere.say('Can I send it back and be refunded?')).sender).toBe('bot');
    const chat = await openChat('https://shop.example/checkout?step=2');
    expect(await chat.say('Can I send it back and be refunded?')).toMatchObject({ event: 'handed_off' });
    expect(await handoffOf(chat.id())).toMatchObject({
      reason: 'rule',
      summary:
        'Rule “Money”: the visitor wrote “refund*”, the chat began on /checkout.\n' +
        '“Can I send it back and be refunded?” – no answer yet.\n' +
        'Unnamed visitor, on shop.example/checkout',
    });
    await desk('handoff_rules.update', { id: rule.id, enabled: false });
    const after = await openChat('https://shop.example/checkout');
    expect((await after.say('Can I send it back and be refunded?')).sender).toBe('bot');
  });

  it('when the visitor is angry, and not before', async () => {
    const chat = await openChat();
    expect((await chat.say('Can I pay by cheque?')).sender).toBe('bot');
    expect(await chat.say('This is ridiculous!! WORST SERVICE EVER')).toMatchObject({ event: 'handed_off' });
    expect(await handoffOf(chat.id())).toMatchObject({
      reason: 'rule',
      summary: expect.stringMatching(
        /^The visitor has a complaint\.\n“Can I pay by cheque\?” – the bot didn’t know/,
      ),
    });
  });

  it('at once while the bot is switched off, and the bot has the name that the site gave it', async () => {
    await desk('bot.update', { enabled: false, name: 'Lumi' });
    const chat = await openChat();
    expect(await chat.say('How long can I send things back?')).toMatchObject({ event: 'handed_off' });
    await desk('bot.update', { enabled: true });
    const answer = await (await openChat()).say('How long can I send things back?');
    expect(answer).toMatchObject({ sender: 'bot', author: { name: 'Lumi' } });
  });

  it('refuses rules without a condition, with another site’s segment, and beyond fifty', async () => {
    const empty = await tryDesk('handoff_rules.create', { name: 'All' });
    expect(empty).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    const foreign = await tryDesk('handoff_rules.create', { name: 'VIP', segment_ids: [1] });
    expect(foreign).toMatchObject({ status: 404 });
    const many = await app.makeSite();
    const theirs = await app.signIn(many.admin.email);
    for (let n = 0; n < 50; n++)
      await app.desk(theirs, 'handoff_rules.create', { name: `${n}`, words: ['x'] });
    const over = await app.desk(theirs, 'handoff_rules.create', { name: '51', words: ['x'] });
    expect(over).toMatchObject({ status: 409 });
  });
});

describe('a chat that is returned to the bot', () => {
  it('is the bot’s again from the next message on, and everybody sees it', async () => {
    const chat = await openChat();
    await chat.say('I want to talk to a human');
    await desk('sessions.accept', { session_id: chat.id() });
    await chat.socket.next('message', ({ message }) => message.event === 'agent_joined');
    await chat.socket.call('chat.send', {
      session_id: chat.id(),
      client_id: randomUUID(),
      text: 'How long can I send things back?',
    });
    await desk('sessions.give_back', { session_id: chat.id() });
    await chat.socket.next('message', ({ message }) => message.event === 'given_back');
    const answer = await chat.say('And how do I wash a wool blanket?');
    expect(answer).toMatchObject({ sender: 'bot', sources: [{ title: 'Care of wool' }] });
    // Messages from while a person had the chat aren't answered later.
    const said = chat.socket.messagesOf(chat.id()).filter(({ sender }) => sender === 'bot');
    expect(said.map(({ text }) => text)).toEqual([answer.text]);
    expect(await desk('sessions.give_back', { session_id: chat.id() })).toMatchObject({ status: 'bot' });
  });

  it('is handed over again when the visitor asks for a person again', async () => {
    const chat = await openChat();
    await chat.say('agent please');
    await desk('sessions.give_back', { session_id: chat.id() });
    await chat.socket.next('message', ({ message }) => message.event === 'given_back');
    expect(await chat.say('no, a human please')).toMatchObject({ event: 'handed_off' });
    const { body } = await app.rest(site.read, 'GET', '/v1/handoffs');
    const mine = body.data.filter((one: Json) => one.session_id === chat.id());
    expect(mine.map((one: Json) => one.accepted_utc === null)).toEqual([true, false]);
  });

  it('can be neither a closed one nor a colleague’s', async () => {
    const chat = await openChat();
    await chat.say('agent please');
    await app.app.database.db
      .updateTable('conversations')
      .set({ status: 'closed', ended_at: new Date() })
      .where('session_id', '=', chat.id())
      .execute();
    expect(await tryDesk('sessions.give_back', { session_id: chat.id() })).toMatchObject({ status: 409 });
  });
});

const gapsOf = async (state: 'open' | 'dismissed' | 'solved' = 'open'): Promise<Json[]> =>
  desk('gaps.list', { state });
const gapAbout = async (word: string, state?: 'open' | 'dismissed' | 'solved') =>
  (await gapsOf(state)).find(({ question }) => question.includes(word));

describe('what the bot does not know', () => {
  it('is marked where it is stored, so that summaries recognise it; visitors get an ordinary message', async () => {
    const chat = await openChat();
    const said = await chat.say('Do you sell elephants?');
    expect(said).toMatchObject({ sender: 'bot', event: null });
    const stored = app.app.database.db.selectFrom('messages').select('event').where('id', '=', said.id);
    expect(await stored.executeTakeFirst()).toEqual({ event: 'not_known' });
    await chat.say('agent please');
    const { handoff } = await desk('sessions.get', { session_id: chat.id() });
    expect(handoff.summary).toContain('“Do you sell elephants?” – the bot didn’t know.');
  });

  it('is a gap, grouped with similar questions and linked to their chats', async () => {
    const chats = await Promise.all([openChat(), openChat(), openChat()]);
    await chats[0]?.say('Do you ship to Norway?');
    await until(async () => (await gapAbout('Norway')) !== undefined);
    await chats[1]?.say('how much is shipping to norway');
    await chats[2]?.say('Can I pay with bitcoin?');
    await until(async () => (await gapAbout('Norway')).asked === 2 && (await gapAbout('bitcoin')));
    const gap = await desk('gaps.get', { id: (await gapAbout('Norway')).id });
    expect(gap).toMatchObject({ question: 'Do you ship to Norway?', asked: 2, state: 'open' });
    expect(gap.examples.map(({ session_id, question }: Json) => [session_id, question])).toEqual([
      [chats[1]?.id(), 'how much is shipping to norway'],
      [chats[0]?.id(), 'Do you ship to Norway?'],
    ]);
  });

  it('is no gap for that visitor once they choose one of the offered articles', async () => {
    const [one, other, third] = await Promise.all([openChat(), openChat(), openChat()]);
    const question = 'Can I dry my blanket in the tumbler?';
    const offered = await one.say(question);
    expect(offered.sources.map(({ title }: Json) => title)).toContain('Care of wool');
    await other.say(question);
    await until(async () => (await gapAbout('blanket'))?.asked === 2);
    const { id } = await gapAbout('blanket');
    expect((await one.say('Care of wool')).text).toContain('cold water');
    expect(await desk('gaps.get', { id })).toMatchObject({
      asked: 1,
      examples: [{ session_id: other.id() }],
    });
    // Nothing is left of it, and a choice that wasn't offered changes nothing.
    await other.say('Care of wool');
    expect(await gapAbout('blanket')).toBeUndefined();
    await third.say('Care of wool');
    await third.say('Do you stock sleeping bags for two?');
    await until(async () => (await gapAbout('sleeping')) !== undefined);
    expect(await gapAbout('blanket')).toBeUndefined();
  });

  it('is solved by an article that answers it, and open again when it is asked without an answer', async () => {
    await (await openChat()).say('Can you engrave a lighthouse?');
    await until(async () => (await gapAbout('lighthouse')) !== undefined);
    const id = await publish('Engraving', 'We engrave a lighthouse for 12 euros.');
    await until(async () => (await gapAbout('lighthouse', 'solved')) !== undefined);
    expect(await gapAbout('lighthouse', 'solved')).toMatchObject({ article: { id, title: 'Engraving' } });
    expect(await gapAbout('lighthouse')).toBeUndefined();
    await app.rest(site.write, 'DELETE', `/v1/articles?id=${id}`);
    await (await openChat()).say('Can you engrave a lighthouse?');
    await until(async () => (await gapAbout('lighthouse')) !== undefined);
    expect(await gapAbout('lighthouse')).toMatchObject({ asked: 2, article: null });
  });

  it('is no longer listed once it is dismissed, even if it is asked again', async () => {
    await (await openChat()).say('Are your lamps haunted?');
    await until(async () => (await gapAbout('haunted')) !== undefined);
    const { id } = await gapAbout('haunted');
    await desk('gaps.dismiss', { id });
    await (await openChat()).say('haunted lamps?');
    await until(async () => (await gapAbout('haunted', 'dismissed'))?.asked === 2);
    expect(await gapAbout('haunted')).toBeUndefined();
    await desk('gaps.reopen', { id });
    expect(await gapAbout('haunted')).toMatchObject({ id, asked: 2 });
  });
});

const FILE = `question,expected
How long can I send things back?,Returns
How do I wash a wool blanket?,care-of-wool
Who painted the Sistine Chapel?,unknown
I want to talk to a human,handoff
Can I send it back?,Care of wool
Do you sell cars?,Returns
,Returns
What is this?,Nowhere
`;

async function makeSet(text = FILE): Promise<number> {
  const set = await desk('question_sets.create', { name: `Set ${randomUUID()}` });
  await desk('question_sets.import', { id: set.id, text });
  return set.id;
}

async function evaluate(set_id: number): Promise<Json> {
  const { id } = await desk('evaluations.start', { set_id });
  await until(async () => (await desk('evaluations.get', { id })).finished_utc !== null);
  return desk('evaluations.get', { id });
}

describe('an evaluation', () => {
  it('reads a file, reports the lines that it can’t read, and changes nothing the second time', async () => {
    const set = await desk('question_sets.create', { name: 'Twice' });
    const failed = [
      { line: 8, message: 'has no question' },
      { line: 9, message: 'expects "Nowhere", which isn’t an article of this site' },
    ];
    const first = await desk('question_sets.import', { id: set.id, text: FILE });
    expect(first).toEqual({ created: 6, updated: 0, unchanged: 0, failed });
    const again = await desk('question_sets.import', {
      id: set.id,
      text: FILE.replace('sell cars?,Returns', 'sell cars?,unknown'),
    });
    expect(again).toEqual({ created: 0, updated: 1, unchanged: 5, failed });
  });

  it('distinguishes right answers, wrong ones, false silence and handoffs, with the answers given', async () => {
    const set_id = await makeSet();
    const done = await evaluate(set_id);
    expect(done).toMatchObject({
      total: 6,
      done: 6,
      tally: {
        article: { right: 2, wrong: 1, silent: 1, handed_off: 0 },
        unknown: { right: 1, wrong: 0, silent: 0, handed_off: 0 },
        handoff: { right: 1, wrong: 0, silent: 0, handed_off: 0 },
        void: 0,
      },
    });
    const rows = await desk('evaluation_results.list', { evaluation_id: done.id });
    expect(rows.map(({ outcome, kind }: Json) => `${outcome} ${kind}`)).toEqual([
      'right answer',
      'right answer',
      'right unknown',
      'right handoff',
      'wrong answer',
      'silent unknown',
    ]);
    expect(rows[4]).toMatchObject({
      expected_title: 'Care of wool',
      article: { id: returnsId, title: 'Returns' },
      confidence: expect.any(Number),
      before: null,
    });
  });

  it('shows what a change of knowledge has changed', async () => {
    const cars = 'question,expected\nDo you sell cars?,unknown\nHow long can I send things back?,Returns\n';
    const set_id = await makeSet(cars);
    const before = await evaluate(set_id);
    const id = await publish('Cars', 'We sell cars, too.');
    const after = await evaluate(set_id);
    const changed = await desk('evaluation_results.list', {
      evaluation_id: after.id,
      compare_id: before.id,
      only: 'changed',
    });
    expect(changed).toMatchObject([
      {
        question: 'Do you sell cars?',
        outcome: 'wrong',
        article: { id },
        before: { outcome: 'right', kind: 'unknown' },
      },
    ]);
    await app.rest(site.write, 'DELETE', `/v1/articles?id=${id}`);
    expect((await desk('evaluations.list', { set_id })).map((one: Json) => one.id)).toEqual([
      after.id,
      before.id,
    ]);
  });

  it('is compared only within its set, and void if the expected article was deleted', async () => {
    const id = await publish('Gone soon', 'Hamsters are sold on Mondays.');
    const set_id = await makeSet(`question,expected\nAre hamsters sold on Mondays?,${id}\n`);
    await app.rest(site.write, 'DELETE', `/v1/articles?id=${id}`);
    const gone = await evaluate(set_id);
    expect(gone.tally).toMatchObject({ void: 1, article: { silent: 0 } });
    const other = await evaluate(await makeSet());
    const compared = { evaluation_id: gone.id, compare_id: other.id };
    expect(await tryDesk('evaluation_results.list', compared)).toMatchObject({ status: 400 });
  });

  it('stops when it is cancelled; only one runs at a time', async () => {
    const lines = Array.from(
      { length: 1_000 },
      (_, n) => `"How do I wash wool blanket number ${n}?",unknown`,
    );
    const set_id = await makeSet(`question,expected\n${lines.join('\n')}\n`);
    const { id } = await desk('evaluations.start', { set_id });
    expect(await tryDesk('evaluations.start', { set_id })).toMatchObject({ status: 409 });
    const cancelled = await desk('evaluations.cancel', { id });
    expect(cancelled.cancelled_utc).not.toBeNull();
    const next = await evaluate(set_id);
    expect(next).toMatchObject({ total: 1_000, done: 1_000 });
    expect(await desk('evaluations.get', { id })).toEqual(cancelled);
  });

  it('takes questions from chats, each once', async () => {
    const chat = await openChat();
    await chat.say('How long can I send things back?');
    const set_id = await makeSet('question,expected\n');
    const collect = { set_id, question: 'How long can I send things back?', session_id: chat.id() };
    expect(await tryDesk('set_questions.create', { ...collect, expects: 'article' })).toMatchObject({
      status: 400,
    });
    const made = await desk('set_questions.create', {
      ...collect,
      expects: 'article',
      article_id: returnsId,
    });
    expect(made).toMatchObject({ article: { title: 'Returns' }, session_id: chat.id() });
    const again = { ...collect, question: 'how long can i  send things back?', expects: 'unknown' };
    expect(await tryDesk('set_questions.create', again)).toMatchObject({ status: 409 });
  });
});

describe('the copilot', () => {
  it('suggests what an article says about the last question, with its source, and sends nothing', async () => {
    const chat = await openChat();
    await chat.say('agent please');
    await desk('sessions.accept', { session_id: chat.id() });
    await chat.socket.call('chat.send', {
      session_id: chat.id(),
      client_id: randomUUID(),
      text: 'How long can I send things back?',
    });
    const before = (await desk('sessions.get', { session_id: chat.id() })).last_seq;
    expect(await desk('copilot.suggest', { session_id: chat.id() })).toMatchObject({
      text: expect.stringContaining('30 days'),
      question: 'How long can I send things back?',
      sources: [{ article_id: returnsId, title: 'Returns', slug: 'returns' }],
    });
    expect((await desk('sessions.get', { session_id: chat.id() })).last_seq).toBe(before);
  });

  it('suggests nothing if no article answers', async () => {
    const chat = await openChat();
    await chat.say('Who painted the Sistine Chapel?');
    expect(await desk('copilot.suggest', { session_id: chat.id() })).toMatchObject({
      text: null,
      sources: [],
    });
  });

  it('summarises a chat as a handoff does', async () => {
    const chat = await openChat();
    await chat.say('How long can I send things back?');
    expect((await desk('copilot.summarise', { session_id: chat.id() })).text).toMatch(
      /^“How long can I send things back\?” – answered from “Returns”: “You can send/,
    );
  });
});
