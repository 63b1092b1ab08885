import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { openBotChat } from '../../../test/bot-visitor.ts';
import { answers, askedText, says, TOKENS, textOf } from '../../../test/model-replies.ts';
import { type Asked, type Behaviour, type ModelStub, startModelStub } from '../../../test/model-stub.ts';

let stub: ModelStub;
/** Its model never gets all articles. */
let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  stub = await startModelStub();
  app = await startTestApp({
    FOYER_AI_BASE_URL: stub.url,
    FOYER_AI_MODEL: 'stub',
    FOYER_AI_ARTICLES_MAX_CHARS: '0',
  });
});
afterAll(async () => {
  await app.close();
  await stub.close();
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  await publish('Warranty of lamps', 'Lamps have a warranty of three years. It covers faults of the wiring.');
  await publish('Delivery', 'Parcels arrive within two days. On Sundays nothing is delivered.');
  await publish('Care of wool', 'Wash wool blankets by hand in cold water and dry them flat.');
  stub.asked.length = 0;
});

async function publish(title: string, body: string, at = app, token = site.write): Promise<void> {
  const answer = await at.rest(token, 'POST', '/v1/articles', { title, body, status: 'Published' });
  expect(answer.status).toBe(201);
}
const desk = async (operation: string, input: object): Promise<Json> =>
  (await app.desk(cookie, operation, input)).body.data;
const isRewriting = ({ messages }: Asked): boolean =>
  textOf(messages[0]?.content).startsWith('You write search queries');
/** Rewrites a question in this way, then answers from the passages found. */
const rewriting =
  (rewrite: Behaviour, answer: (asked: Asked) => Behaviour) =>
  (asked: Asked): Behaviour =>
    isRewriting(asked) ? rewrite : answer(asked);
const passagesIn = (asked: Asked | undefined): string[] =>
  [...(asked ? askedText(asked) : '').matchAll(/^\[\d+\] (.+)$/gm)].map(([, title = '']) => title);

describe('all articles', () => {
  test.each<[string, number, boolean]>([
    ['are sent if they fit the operator’s limit', 400, true],
    ['are not sent if they don’t', 100, false],
  ])('%s', async (_, limit, fits) => {
    const limited = await startTestApp({
      FOYER_AI_BASE_URL: stub.url,
      FOYER_AI_MODEL: 'stub',
      FOYER_AI_ARTICLES_MAX_CHARS: String(limit),
    });
    const own = await limited.makeSite();
    await publish('Warranty', 'Lamps have a warranty of three years.', limited, own.write);
    await publish('Delivery', 'Parcels arrive within two days.', limited, own.write);
    await publish('Wool', 'Wash wool blankets by hand in cold water.', limited, own.write);
    stub.behave(says('NONE'));
    const own_cookie = await limited.signIn(own.admin.email);
    const { body } = await limited.desk(own_cookie, 'bot.try', { question: 'how long is the warranty?' });
    expect(passagesIn(stub.asked.at(-1)).includes('Wool')).toBe(fits);
    expect(body.data.model.search).toEqual(fits ? null : []);
    expect(stub.asked).toHaveLength(1);
    await limited.close();
  });

  test('have a limit, and an invalid one stops the start', async () => {
    await expect(startTestApp({ FOYER_AI_ARTICLES_MAX_CHARS: 'many' })).rejects.toThrow(
      'FOYER_AI_ARTICLES_MAX_CHARS=many is invalid',
    );
  });
});

describe('a self-contained question', () => {
  test('is searched for as it is, by one request', async () => {
    stub.behave(answers('warranty of three years', 'Three years.'));
    const chat = await openBotChat(app.url, site.publicKey, { locale: 'en-GB' });
    expect((await chat.ask('how long is the warranty of lamps?')).text).toBe('Three years.');
    expect(stub.asked).toHaveLength(1);
    expect(passagesIn(stub.asked[0])[0]).toBe('Warranty of lamps');
  });
});

describe('a follow-up question', () => {
  test('is rewritten before the search, and both requests count', async () => {
    const rewrite = says('<think>lamps?</think>What is covered by the warranty of lamps?');
    stub.behave(rewriting(rewrite, answers('faults of the wiring', 'Faults of the wiring.')));
    const before = [{ sender: 'visitor', text: 'how long is the warranty of lamps?' }];
    const trial = await desk('bot.try', { question: 'and what is included?', before });
    expect(trial).toMatchObject({
      text: 'Faults of the wiring.',
      model: { search: ['What is covered by the warranty of lamps?'], tokens: { input: 2 * TOKENS.input } },
    });
    expect(stub.asked).toHaveLength(2);
    expect(stub.asked[0] && askedText(stub.asked[0])).toContain(
      'visitor: how long is the warranty of lamps?',
    );
    expect(passagesIn(stub.asked[1])[0]).toBe('Warranty of lamps');
    const { bot_tokens_input } = (await app.rest(site.read, 'GET', '/v1/usage')).body.data;
    expect(bot_tokens_input).toBe(2 * TOKENS.input);
  });

  test.each<[string, Behaviour]>([
    ['fails', { kind: 'refuses', status: 500, body: '{}' }],
    ['is cut off', { kind: 'breaks', pieces: ['What'] }],
    ['writes nothing', says('<think>hm')],
  ])('is searched for as it is if the rewriting %s', async (_, rewrite) => {
    stub.behave(rewriting(rewrite, answers('warranty of three years', 'Three years.')));
    const before = [{ sender: 'visitor', text: 'do lamps have a warranty?' }];
    const trial = await desk('bot.try', { question: 'and how long is it?', before });
    expect(trial).toMatchObject({ by: 'model', text: 'Three years.', model: { search: [] } });
  });
});

describe('a question in another language than the articles', () => {
  test('finds them, rewritten in their language, and is answered in its own', async () => {
    stub.behave(
      rewriting(
        says('How long is the warranty of lamps?'),
        answers('warranty of three years', 'Drei Jahre beträgt die Garantie.'),
      ),
    );
    const chat = await openBotChat(app.url, site.publicKey, { locale: 'de-DE' });
    const answer = await chat.ask('Wie lange habe ich Garantie auf Leuchten?');
    expect(answer).toMatchObject({
      text: 'Drei Jahre beträgt die Garantie.',
      sources: [{ title: 'Warranty of lamps' }],
    });
    expect(textOf(stub.asked[0]?.messages[0]?.content)).toContain(
      'languages, each on a line of its own and without the name of the language: English.',
    );
    expect(passagesIn(stub.asked[1])).toContain('Warranty of lamps');
    expect(stub.asked[1] && askedText(stub.asked[1])).toContain('Visitor’s language: German');
    // Without the rewriting, the search finds nothing.
    stub.behave(rewriting({ kind: 'refuses', status: 500, body: '{}' }, () => says('NONE')));
    expect(await desk('bot.try', { question: 'Wie lange habe ich Garantie auf Leuchten?' })).toMatchObject({
      kind: 'unknown',
      model: { result: 'not_asked', problem: 'no_passages' },
    });
  });

  test('is rewritten in each of their languages', async () => {
    await publish('Retouren', 'Sie können alles innerhalb von 30 Tagen zurückgeben, wenn es nicht passt.');
    await publish('Garantie', 'Die Garantie auf Lampen ist drei Jahre, und sie gilt für die Kabel.');
    stub.behave(
      rewriting(says('English: How can I return it?\n- Wie kann ich es zurückgeben?'), () => says('NONE')),
    );
    const { model } = await desk('bot.try', { question: '返品できますか' });
    expect(model.search).toEqual(['How can I return it?', 'Wie kann ich es zurückgeben?']);
    expect(passagesIn(stub.asked[1])).toContain('Retouren');
  });

  test('counts as one answer', async () => {
    await desk('bot.update', { model_answers_per_chat: 1 });
    stub.behave(rewriting(says('warranty of lamps'), answers('warranty of three years', 'Drei Jahre.')));
    const chat = await openBotChat(app.url, site.publicKey, { locale: 'de-DE' });
    expect((await chat.ask('Wie lange habe ich Garantie?')).text).toBe('Drei Jahre.');
    await chat.ask('Und wie lange noch?');
    expect(stub.asked).toHaveLength(2);
  });
});
