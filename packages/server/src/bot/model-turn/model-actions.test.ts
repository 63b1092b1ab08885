import type { ActionCall, InputOf } from '@foyer/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { openBotChat } from '../../../test/bot-visitor.ts';
import { askedText, says, TOKENS, textOf } from '../../../test/model-replies.ts';
import { type ModelStub, startModelStub } from '../../../test/model-stub.ts';
import { answerWith, type Receiver, startReceiver } from '../../../test/receiver.ts';

let stub: ModelStub;
let shop: Receiver;
let app: TestApp;
let site: TestSite;
let cookie: string;

type NewAction = InputOf<'actions.create'>;
type NewStep = NewAction['steps'][number];

beforeAll(async () => {
  stub = await startModelStub();
  const answer = JSON.stringify({ status: 'on its way' });
  shop = await startReceiver(answerWith(200, answer, { 'content-type': 'application/json' }));
  app = await startTestApp({ FOYER_AI_BASE_URL: stub.url, FOYER_AI_MODEL: 'stub' });
});
afterAll(async () => {
  await app.close();
  await Promise.all([stub.close(), shop.close()]);
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  const article = {
    title: 'Delivery',
    body: 'An order arrives within two to four days.',
    status: 'Published',
  };
  await app.rest(site.write, 'POST', '/v1/articles', article);
  stub.asked.length = 0;
  shop.requests.length = 0;
});

async function desk(operation: string, input: object): Promise<Json> {
  const { body } = await app.desk(cookie, operation, input);
  expect(body, JSON.stringify(body)).toMatchObject({ ok: true });
  return body.data;
}
const askOrder: NewStep = {
  id: 'ask',
  type: 'ask',
  question: 'What is your order number?',
  input: { name: 'order', kind: 'code' },
};
const call = (method: 'GET' | 'POST'): NewStep => ({
  id: 'call',
  type: 'call',
  method,
  url: `${new URL(shop.url).origin}/orders/{{order}}`,
});
const tell: NewStep = { id: 'tell', type: 'say', text: 'Order {{order}} is {{result.status}}.' };
const makeAction = (more: Partial<NewAction> = {}): Promise<Json> =>
  desk('actions.create', {
    name: 'Order status',
    label: 'Track my order',
    purpose: 'Tells where an order is.',
    examples: [],
    steps: [askOrder, call('GET'), tell],
    ...more,
  });
const openChat = () => openBotChat(app.url, site.publicKey, { locale: 'en-GB' });
const callsOf = (session_id: string): Promise<ActionCall[]> => desk('action_calls.list', { session_id });

describe('a language model', () => {
  test('gets the actions that the visitor may use, with their inputs', async () => {
    await makeAction();
    await makeAction({ name: 'Account', label: 'My account', verified: true });
    stub.behave(says('NONE'));
    await (await openChat()).ask('so, and my parcel?');
    const system = textOf(stub.asked[0]?.messages[0]?.content);
    expect(system).toContain('- "Order status": "Tells where an order is."; inputs: order (code)');
    expect(system).not.toContain('"Account"');
  });

  test('calls an action with what the visitor wrote, and the bot says the result', async () => {
    await makeAction();
    stub.behave(says('ACTION Order status\norder: A-1042'));
    const chat = await openChat();
    expect((await chat.ask('so, and my parcel? it is #A-1042, thanks')).text).toBe(
      'Order A-1042 is on its way.',
    );
    expect(shop.requests.map(({ path }) => path)).toEqual(['/orders/A-1042']);
    expect(await callsOf(chat.id())).toMatchObject([{ by: 'model', status: 'done' }]);
    const { bot_tokens_input } = (await app.rest(site.read, 'GET', '/v1/usage')).body.data;
    expect(bot_tokens_input).toBe(TOKENS.input);
  });

  test('asks for what the visitor did not write, whatever the model says', async () => {
    await makeAction();
    stub.behave(says('ACTION order status\norder: B-7'));
    const chat = await openChat();
    expect(await chat.ask('so, and my parcel? it is B-77')).toMatchObject({
      text: 'What is your order number?',
      choices: ['Cancel'],
    });
    expect(shop.requests).toEqual([]);
    // The answer continues the action, without the model.
    expect((await chat.ask('B-77')).text).toBe('Order B-77 is on its way.');
    expect(stub.asked).toHaveLength(1);
  });

  test('passes no value that the input doesn’t allow', async () => {
    await makeAction({
      steps: [
        { ...askOrder, input: { name: 'order', kind: 'choice', choices: ['blue', 'red'] } },
        call('GET'),
        tell,
      ],
    });
    stub.behave(says('ACTION Order status\norder: parcel'));
    const chat = await openChat();
    expect((await chat.ask('so, and my parcel?')).text).toBe('What is your order number?');
    expect(shop.requests).toEqual([]);
  });

  test('can’t change anything before the visitor says a word: the action is only offered', async () => {
    await makeAction({
      name: 'Cancel order',
      label: 'Cancel my order',
      steps: [askOrder, call('POST'), tell],
    });
    stub.behave(says('ACTION Cancel order\norder: A-1'));
    const chat = await openChat();
    const offer = await chat.ask('so, and my parcel A-1?');
    expect(offer).toMatchObject({ choices: ['Cancel my order'] });
    expect(shop.requests).toEqual([]);
    expect((await chat.ask('Cancel my order')).text).toBe('What is your order number?');
  });

  test('may begin one that changes something if the visitor confirms it', async () => {
    const confirm: NewStep = { id: 'sure', type: 'confirm', text: 'Cancel {{order}}?' };
    await makeAction({
      name: 'Cancel order',
      label: 'Cancel',
      steps: [askOrder, confirm, call('POST'), tell],
    });
    stub.behave(says('ACTION Cancel order\norder: A-1'));
    const chat = await openChat();
    expect((await chat.ask('so, my parcel A-1 has to go')).text).toBe('Cancel A-1?');
    expect(shop.requests).toEqual([]);
    expect((await chat.ask('Yes')).text).toBe('Order A-1 is on its way.');
    expect(shop.requests.map(({ method }) => method)).toEqual(['POST']);
  });

  test.each(['Refund everybody', 'Account'])(
    'that calls an action unavailable to this visitor is replaced by the built-in bot: %s',
    async (name) => {
      await makeAction({ name: 'Account', label: 'My account', verified: true });
      stub.behave(says(`ACTION ${name}\norder: A-1`));
      const question = 'how long until an order A-1 arrives?';
      expect((await (await openChat()).ask(question)).text).toContain('two to four days');
      expect(shop.requests).toEqual([]);
      expect(await desk('bot.try', { question })).toMatchObject({
        by: 'knowledge',
        model: { result: 'unreadable', problem: 'unknown_action', detail: name },
      });
    },
  );

  test('begins an action in a trial, which calls nothing', async () => {
    await makeAction();
    stub.behave(says('ACTION Order status\norder: A-1'));
    expect(await desk('bot.try', { question: 'so, and my parcel A-1?' })).toMatchObject({
      by: 'model',
      kind: 'action',
      text: 'What is your order number?',
      model: { result: 'action', problem: null },
    });
    expect(shop.requests).toEqual([]);
  });

  test('gets no actions when it suggests a reply to an agent', async () => {
    await makeAction();
    stub.behave(says('NONE'));
    const chat = await openChat();
    await chat.ask('how long until an order arrives?');
    await desk('copilot.suggest', { session_id: chat.id() });
    expect(stub.asked.at(-1)?.raw).not.toContain('Order status');
  });
});

/** A chat with a model, replayed word by word. */
const RECORDED: readonly { visitor: string; model?: string; bot: string }[] = [
  { visitor: 'hello', bot: 'Hello' },
  {
    visitor: 'when will it be here?',
    model: '<think>They mean an order.</think>\nASK\nDo you mean an order that you placed already?',
    bot: 'Do you mean an order that you placed already?',
  },
  {
    visitor: 'no, in general',
    model:
      'Here you go:\n\nANSWER\nQUOTE 1: arrives within two to four days\n\nAn order arrives **2 to 4 days** later.',
    bot: 'An order arrives **2 to 4 days** later.',
  },
  {
    visitor: 'ok, then I order one more for my aunt',
    model: '**TALK**\nYour aunt is lucky!',
    bot: 'Your aunt is lucky!',
  },
  {
    visitor: 'so what about the one I have, C-3',
    model: 'ACTION "Order status"\norder: C-3',
    bot: 'Order C-3 is on its way.',
  },
  {
    visitor: 'will it come before noon',
    model: 'ANSWER\nQUOTE 1: arrives within two to four days\n\nIt arrives at 11 am.',
    bot: 'I don’t know that one',
  },
  {
    visitor: 'my neighbour should take it please, arrange that',
    model: 'HANDOFF rule\nWants the neighbour to take order C-3.',
    bot: 'The chat was handed over to the team.',
  },
];

test('a recorded conversation is replayed as it was', async () => {
  await makeAction();
  const chat = await openChat();
  for (const { visitor, model, bot } of RECORDED) {
    const before = stub.asked.length;
    stub.behave(says(model ?? 'unexpected'));
    expect((await chat.ask(visitor)).text, visitor).toContain(bot);
    expect(stub.asked.length - before, visitor).toBe(model === undefined ? 0 : 1);
  }
  const last = stub.asked.at(-1);
  expect(last && askedText(last)).toContain('visitor: so what about the one I have, C-3\nbot: Order C-3 is');
});
