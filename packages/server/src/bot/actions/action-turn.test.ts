import { createHmac, randomUUID } from 'node:crypto';
import type { ActionCall, InputOf, Message, OperationName } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import {
  answerWith,
  dripping,
  endless,
  type Answer as Reaction,
  type Receiver,
  reset,
  startReceiver,
} from '../../../test/receiver.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { holdUp } from '../../../test/waiting.ts';
import { takeTurns } from '../turn.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let shop: Receiver;
let base: string;
let reaction: Reaction;
let secret: string;

const json = (value: unknown, status = 200): Reaction =>
  answerWith(status, JSON.stringify(value), { 'content-type': 'application/json' });

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  shop = await startReceiver((...args) => reaction(...args));
  base = new URL(shop.url).origin;
  secret = (await desk('identity_secret.rotate', {})).secret;
  const article = {
    title: 'Delivery',
    body: 'An order arrives within two to four days.',
    status: 'Published',
  };
  await app.rest(site.write, 'POST', '/v1/articles', article);
});
afterAll(async () => {
  await shop.close();
  await app.close();
});

beforeEach(async () => {
  reaction = json({ status: 'on its way', day: 'Friday' });
  shop.requests.length = 0;
  for (const { id } of await desk('actions.list', {})) await desk('actions.delete', { id });
});

const tryDesk = (operation: OperationName, input: object): Promise<Answer> =>
  app.desk(cookie, operation, input);
async function desk<N extends OperationName>(operation: N, input: InputOf<N>): Promise<Json> {
  const answer = await tryDesk(operation, input);
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ ok: true });
  return answer.body.data;
}

type NewAction = InputOf<'actions.create'>;
type NewStep = NewAction['steps'][number];

const askOrder: NewStep = {
  id: 'ask',
  type: 'ask',
  question: 'What is your order number?',
  input: { name: 'order', kind: 'code' },
};
const look = (more: object = {}): NewStep => ({
  id: 'look',
  type: 'call',
  method: 'GET',
  url: `${base}/orders/{{order}}`,
  headers: [{ name: 'Authorization', value: 'Bearer s3cret' }],
  ...more,
});
const tell: NewStep = {
  id: 'tell',
  type: 'say',
  text: 'Order **{{order}}** is {{result.status}} and arrives on {{result.day}}.',
};

const makeAction = (action: Partial<NewAction> = {}): Promise<Json> =>
  desk('actions.create', {
    name: 'Order status',
    label: 'Track my order',
    examples: ['Where is my order?', 'Has my order shipped?'],
    steps: [askOrder, look(), tell],
    ...action,
  });

/** A visitor who writes messages and waits for replies. */
async function openChat(hello: { key?: string; user_hash?: string } = {}) {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey, hello);
  let id: string | null = null;
  const say = async (text: string): Promise<Message> => {
    const sent = (await socket.call('chat.send', { session_id: id, client_id: randomUUID(), text })) as {
      session: { session_id: string } | null;
      message: { seq: number };
    };
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

const callsOf = async (session_id: string): Promise<ActionCall[]> =>
  desk('action_calls.list', { session_id });

describe('a visitor without a model', () => {
  it('is offered an action beside articles, enters an order number and reads its status', async () => {
    const action = await makeAction();
    const chat = await openChat();
    const offered = await chat.say('hi, where is the order I made?');
    expect(offered.choices).toEqual(['Track my order']);
    expect(await chat.say('Track my order')).toMatchObject({
      text: 'What is your order number?',
      choices: ['Cancel'],
    });
    const answer = await chat.say('#1042');
    expect(answer.text).toBe('Order **1042** is on its way and arrives on Friday.');
    expect(answer.choices).toBeUndefined();
    const [request] = shop.requests;
    expect(request).toMatchObject({ method: 'GET', path: '/orders/1042' });
    expect(request?.headers).toMatchObject({ authorization: 'Bearer s3cret', accept: 'application/json' });
    expect(await callsOf(chat.id())).toMatchObject([
      {
        action_id: action.id,
        action_name: 'Order status',
        by: 'button',
        input: { order: '1042' },
        status: 'done',
        status_code: 200,
      },
    ]);
  });

  it('is not offered an action by a question that only shares its everyday words', async () => {
    await makeAction();
    const chat = await openChat();
    expect((await chat.say('Where is your shop?')).choices).toBeUndefined();
  });

  it('cancels, and nothing is called', async () => {
    await makeAction();
    const chat = await openChat();
    await chat.say('Track my order');
    expect((await chat.say('Cancel')).text).toMatch(/Nothing was sent/);
    expect((await chat.say('1042')).text).not.toMatch(/arrives/);
    expect(shop.requests).toEqual([]);
  });

  it('is asked again for an invalid number, then for another if the shop doesn’t know it', async () => {
    await makeAction({ steps: [askOrder, look({ refused_text: 'There is no order {{order}}.' }), tell] });
    reaction = (response, request, index) =>
      (request.path === '/orders/7' ? json({}, 404) : json({ status: 'packed', day: 'Monday' }))(
        response,
        request,
        index,
      );
    const chat = await openChat();
    await chat.say('Track my order');
    const again = await chat.say('where do I find that');
    expect(again.text).toMatch(/only the number or code[\s\S]*What is your order number\?$/);
    expect(again.choices).toEqual(['Cancel', 'Talk to a person']);
    const none = await chat.say('7');
    expect(none).toMatchObject({
      text: 'There is no order 7.',
      choices: ['Try again', 'Talk to a person'],
    });
    expect((await chat.say('Try again')).text).toBe('What is your order number?');
    expect((await chat.say('8')).text).toBe('Order **8** is packed and arrives on Monday.');
  });

  it('declines the confirmation of a change, and nothing is called', async () => {
    await makeAction({
      label: 'Cancel a booking',
      steps: [
        askOrder,
        { id: 'sure', type: 'confirm', text: 'Cancel booking {{order}}?' },
        look({ method: 'POST', body: '{"number":"{{order}}"}' }),
      ],
    });
    const chat = await openChat();
    await chat.say('Cancel a booking');
    expect(await chat.say('b-7')).toMatchObject({ text: 'Cancel booking b-7?', choices: ['Yes', 'No'] });
    expect((await chat.say('hm')).text).toBe('Cancel booking b-7?');
    expect((await chat.say('No')).text).toMatch(/Nothing was sent/);
    expect(shop.requests).toEqual([]);
    await chat.say('Cancel a booking');
    await chat.say('b-7');
    expect((await chat.say('Yes')).text).toBe('That’s done.');
    expect(shop.requests).toMatchObject([
      { method: 'POST', body: '{"number":"b-7"}', headers: { 'idempotency-key': expect.any(String) } },
    ]);
  });

  it('is handed to a person in the middle, who sees what was entered', async () => {
    await makeAction({
      steps: [askOrder, { id: 'sure', type: 'confirm', text: 'Look {{order}} up?' }, look(), tell],
    });
    const chat = await openChat();
    await chat.say('Track my order');
    await chat.say('1042');
    expect((await chat.say('I want to talk to a person')).event).toBe('handed_off');
    const { handoff } = await desk('sessions.get', { session_id: chat.id() });
    expect(handoff.summary).toContain('Action “Order status”: order “1042”.');
    const { rows } = await sql`select from action_runs`.execute(site.operator.db);
    expect(rows).toEqual([]);
  });

  it('asks about something else after a failure, and is answered', async () => {
    await makeAction();
    reaction = answerWith(500);
    const chat = await openChat();
    await chat.say('Track my order');
    expect((await chat.say('1042')).text).toMatch(/isn’t working/);
    expect((await chat.say('How long does a delivery take?')).text).toMatch(/two to four days/);
  });
});

describe('a procedure', () => {
  const refund: NewStep[] = [
    askOrder,
    look(),
    { id: 'if', type: 'if', field: 'result.total', operator: 'above', value: '100', go_to: 'person' },
    { id: 'small', type: 'say', text: 'We refund {{result.total}} €.' },
    { id: 'stop', type: 'end' },
    { id: 'person', type: 'handoff', text: 'That is for a colleague.' },
  ];
  it('follows a field of the answer: says something, or hands the chat to a person', async () => {
    await makeAction({ label: 'Refund', steps: refund.map((step) => (step.id === 'look' ? look() : step)) });
    const small = await openChat();
    reaction = json({ total: 40.5 });
    await small.say('Refund');
    expect((await small.say('1')).text).toBe('We refund 40.5 €.');
    const large = await openChat();
    reaction = json({ total: 400 });
    await large.say('Refund');
    expect((await large.say('2')).text).toBe('That is for a colleague.');
    await large.socket.next('message', ({ message }) => message.event === 'handed_off');
  });

  it('that loops ends with a person', async () => {
    await makeAction({
      label: 'Circle',
      steps: [
        { id: 'a', type: 'say', text: 'Round.' },
        { id: 'b', type: 'if', field: 'result.none', operator: 'has_no_value', go_to: 'a' },
      ],
    });
    const chat = await openChat();
    expect((await chat.say('Circle')).text).toMatch(/^I’m stuck here/);
    await chat.socket.next('message', ({ message }) => message.event === 'handed_off');
  });

  it('that was changed meanwhile stops and says so', async () => {
    const { id } = await makeAction();
    const chat = await openChat();
    await chat.say('Track my order');
    await desk('actions.update', { id, steps: [askOrder, look(), tell] });
    expect((await chat.say('1042')).text).toMatch(/just been changed/);
    expect(shop.requests).toEqual([]);
  });
});

describe('an action for verified visitors', () => {
  const mine = () =>
    makeAction({
      label: 'My orders',
      verified: true,
      steps: [
        look({ url: `${base}/customers/{{visitor.key}}/orders` }),
        { id: 'tell', type: 'say', text: 'You have {{result.count}} orders.' },
      ],
    });
  const hashOf = (key: string) => createHmac('sha256', secret).update(key).digest('hex');

  it('sends the key that the site has proven, which the visitor can’t enter', async () => {
    await mine();
    reaction = json({ count: 3 });
    const chat = await openChat({ key: 'user/1', user_hash: hashOf('user/1') });
    expect((await chat.say('My orders')).text).toBe('You have 3 orders.');
    expect(shop.requests).toMatchObject([{ path: '/customers/user%2F1/orders' }]);
  });

  it('is neither offered nor begun for other visitors, not even with a forged hash', async () => {
    await mine();
    for (const hello of [{}, { key: 'user/1' }, { key: 'user/1', user_hash: hashOf('user/2') }]) {
      const chat = await openChat(hello);
      const answer = await chat.say('My orders');
      expect(answer.choices).toBeUndefined();
      expect(answer.text).not.toMatch(/You have/);
    }
    expect(shop.requests).toEqual([]);
  });

  it('is refused if one for everybody would insert what anybody can claim', async () => {
    const refused = await tryDesk('actions.create', {
      name: 'x',
      label: 'x',
      steps: [look({ url: `${base}/{{visitor.email}}` })],
    });
    expect(refused).toMatchObject({ status: 400, body: { error: { issues: [{ path: 'steps.0.url' }] } } });
  });
});

describe('the receiver', () => {
  const outcome = async (steps: NewStep[] = [askOrder, look({ timeout_s: 1 }), tell]) => {
    await makeAction({ steps });
    const chat = await openChat();
    await chat.say('Track my order');
    const { text, choices } = await chat.say('1042');
    const [call] = await callsOf(chat.id());
    return { text, choices, call };
  };

  it.each([
    ['hangs', () => undefined],
    ['drips', dripping],
    ['breaks off', reset],
    ['fails', answerWith(500)],
    ['redirects', answerWith(302, '', { location: 'http://127.0.0.1:1/' })],
    ['answers HTML', answerWith(200, '<html>Hello</html>')],
    ['answers without end', endless],
  ] as [string, Reaction][])(
    'that %s is called once, and the visitor gets an honest answer',
    async (_, does) => {
      reaction = does;
      const { text, choices, call } = await outcome();
      expect(text).toBe('That isn’t working right now.');
      expect(choices).toEqual(['Try again', 'Talk to a person']);
      expect(call).toMatchObject({ status: 'failed', error: expect.any(String) });
      expect(shop.requests).toHaveLength(1);
    },
  );

  it('that may have changed something is not called again, and the bot doesn’t claim that it has', async () => {
    reaction = () => undefined;
    const { text, choices } = await outcome([askOrder, look({ timeout_s: 1, method: 'POST' })]);
    expect(text).toMatch(/can’t tell whether it went through/);
    expect(choices).toEqual(['Talk to a person']);
    expect(shop.requests).toHaveLength(1);
  });

  it('can send neither markup nor links nor other steps’ variables into the chat', async () => {
    reaction = json({ status: '[free](https://evil.test) <b>x</b> https://evil.test', day: '**{{order}}**' });
    const { text } = await outcome();
    expect(text).toBe(
      'Order **1042** is \\[free\\](https\\://evil.test) \\<b>x\\</b> https\\://evil.test and arrives on \\*\\*{{order}}\\*\\*.',
    );
  });

  it('gets values of a visitor as values: no other path, query or JSON, no header', async () => {
    await makeAction({
      label: 'Write',
      steps: [
        {
          id: 'ask',
          type: 'ask',
          question: 'Text?',
          input: { name: 'order', kind: 'text' },
        },
        look({
          method: 'POST',
          url: `${base}/a/{{order}}/b?q={{order}}`,
          body: '{"text":"{{order}}","fixed":{"admin":false}}',
        }),
      ],
    });
    const hostile = '"},"admin":true,{" ../?x=1&y=2#z\r\nX-Evil: 1 {{visitor.key}} 100%';
    const chat = await openChat();
    await chat.say('Write');
    await chat.say(hostile);
    const [request] = shop.requests;
    const flat = hostile.replace(/\s+/g, ' ');
    expect(request?.path).toBe(`/a/${encodeURIComponent(flat)}/b?q=${encodeURIComponent(flat)}`);
    expect(JSON.parse(request?.body ?? '')).toEqual({ text: flat, fixed: { admin: false } });
    expect(request?.headers['x-evil']).toBeUndefined();
    await chat.say('Write');
    expect((await chat.say('..')).text).toMatch(/found nothing/);
    expect(shop.requests).toHaveLength(1);
  });

  it('at a private address is refused on saving and on calling', async () => {
    const guarded = await startTestApp({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'false' });
    try {
      const theirs = await guarded.makeSite();
      const admin = await guarded.signIn(theirs.admin.email);
      const input = { name: 'x', label: 'x', steps: [look({ url: 'http://127.0.0.1/x' })] };
      const refused = await guarded.desk(admin, 'actions.create', input);
      expect(refused).toMatchObject({ status: 400, body: { error: { issues: [{ path: 'steps.0.url' }] } } });
      const steps = [
        { ...look({ url: `${base}/x`, timeout_s: 1, body: '', refused_text: '' }), headers: [] },
      ];
      await sql`
        insert into actions (site_id, name, label, steps, created_at, updated_at)
        values (${theirs.site.id}, 'x', 'x', ${JSON.stringify(steps)}, now(), now())`.execute(
        theirs.operator.db,
      );
      const [{ id }] = (await guarded.desk(admin, 'actions.list', {})).body.data;
      const tested = await guarded.desk(admin, 'actions.test', { id, step_id: 'look' });
      expect(tested.body.data.call).toMatchObject({ status: 'failed', status_code: null });
      expect(shop.requests).toEqual([]);
    } finally {
      await guarded.close();
    }
  });
});

describe('a call whose process dies before its end is recorded', () => {
  /** As after a crash in the middle: the call is recorded, its end isn't. */
  async function dieDuringCall(method: 'GET' | 'POST') {
    await makeAction({ steps: [askOrder, look({ method, timeout_s: 1 }), tell] });
    const chat = await openChat();
    await chat.say('Track my order');
    reaction = json({ status: 'sent', day: 'Friday' });
    const { id } = (
      await sql<{ id: number }>`select id from conversations where session_id = ${chat.id()}`.execute(
        site.operator.db,
      )
    ).rows[0] as { id: number };
    await sql`
      with call as (
        insert into action_calls (site_id, action_id, action_name, conversation_id, begun_by, key, method, input, started_at, expires_at)
        select site_id, action_id, 'Order status', conversation_id, 'button', gen_random_uuid(), ${method}, '{}', now() - interval '1 minute', now() - interval '30 seconds'
        from action_runs where conversation_id = ${id} returning id
      )
      update action_runs set call_id = (select id from call), step = 'look', given = '{"order":"1042"}', calls = 1
      where conversation_id = ${id}`.execute(site.operator.db);
    return chat;
  }

  it('is not repeated if it may have changed something, and the bot says that it can’t tell', async () => {
    const chat = await dieDuringCall('POST');
    expect((await chat.say('hello?')).text).toMatch(/can’t tell whether it went through/);
    expect(shop.requests).toEqual([]);
    expect(await callsOf(chat.id())).toMatchObject([{ status: 'unknown' }]);
  });

  it('is repeated if it only reads', async () => {
    const chat = await dieDuringCall('GET');
    expect((await chat.say('hello?')).text).toBe('Order **1042** is sent and arrives on Friday.');
    expect(shop.requests).toHaveLength(1);
    expect(await callsOf(chat.id())).toMatchObject([{ status: 'done' }, { status: 'unknown' }]);
  });
});

it('two workers with one message call once', async () => {
  await makeAction({ steps: [askOrder, look({ method: 'POST' }), tell] });
  const chat = await openChat();
  await chat.say('Track my order');
  // Stored without a job of its own once no other runs, so that only the two below process it.
  await until(async () => {
    const { rows } = await sql`
      select from foyer_jobs.job where name = 'bot.answer' and state not in ('completed', 'failed', 'cancelled')`.execute(
      site.operator.db,
    );
    return rows.length === 0;
  });
  await sql`
    with chat as (
      update conversations set last_seq = last_seq + 1 where session_id = ${chat.id()} returning site_id, id, last_seq
    ) insert into messages (site_id, conversation_id, seq, client_id, sender, text)
    select site_id, id, last_seq, gen_random_uuid(), 'visitor', '1042' from chat`.execute(site.operator.db);
  const holder = await holdUp(app.databaseUrl);
  // Both may read the chat's position under the lock, and neither may begin the call.
  await holder.query('select from conversations where session_id = $1 for share', [chat.id()]);
  const turns = [1, 2].map(() => takeTurns(site.operator, chat.id()));
  await Promise.race([holder.awaited(2), Promise.allSettled(turns)]);
  const early = shop.requests.length;
  await holder.commit();
  await Promise.all(turns);
  expect(early).toBe(0);
  expect(shop.requests).toHaveLength(1);
  expect(await callsOf(chat.id())).toMatchObject([{ status: 'done' }]);
});

it('two messages at once call once', async () => {
  await makeAction({ steps: [askOrder, look({ method: 'POST' }), tell] });
  let answer: (() => void) | undefined;
  reaction = (...args) => {
    answer = () => json({ status: 'sent', day: 'Friday' })(...args);
  };
  const chat = await openChat();
  await chat.say('Track my order');
  const first = chat.say('1042');
  await shop.received(1);
  const second = chat.say('1042');
  await until(async () => {
    const { rows } =
      await sql`select from foyer_jobs.job where name = 'bot.answer' and start_after > now()`.execute(
        site.operator.db,
      );
    return rows.length > 0;
  });
  answer?.();
  expect((await first).text).toBe('Order **1042** is sent and arrives on Friday.');
  await second;
  expect(shop.requests).toHaveLength(1);
});

describe('at the desk', () => {
  it('header values are never shown, kept for the same server, and needed for another', async () => {
    const action = await makeAction();
    expect(JSON.stringify(action)).not.toContain('s3cret');
    const kept = look({ headers: [{ name: 'authorization' }], url: `${base}/other/{{order}}` });
    await desk('actions.update', { id: action.id, steps: [askOrder, kept, tell] });
    await desk('actions.test', { id: action.id, step_id: 'look', values: { order: '5' } });
    expect(shop.requests).toMatchObject([{ path: '/other/5', headers: { authorization: 'Bearer s3cret' } }]);
    const moved = look({ headers: [{ name: 'authorization' }], url: 'http://127.0.0.1:9/{{order}}' });
    const refused = await tryDesk('actions.update', { id: action.id, steps: [askOrder, moved, tell] });
    expect(refused).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: 'steps.1.headers.0.value' }] } },
    });
    const log = await desk('audit.list', { subject: 'action' });
    expect(JSON.stringify(log)).not.toContain('s3cret');
    expect(log.map(({ action: what }: Json) => what)).toContain('actions.test');
  });

  it('a test shows what was sent and which fields came back', async () => {
    const { id } = await makeAction();
    reaction = json({ status: 'sent', items: [{ name: 'Lamp' }] });
    const test = await desk('actions.test', { id, step_id: 'look', values: { order: 'a b' } });
    expect(test).toMatchObject({
      request: { method: 'GET', url: `${base}/orders/a%20b`, headers: ['Authorization'], body: null },
      fields: { 'result.status': 'sent', 'result.items.0.name': 'Lamp' },
      call: { by: 'test', status: 'done', session_id: null },
    });
  });

  it.each([
    ['steps.0.go_to', [{ id: 'a', type: 'if', field: 'result.x', operator: 'has_value', go_to: 'b' }]],
    [
      'steps.1',
      [
        { id: 'a', type: 'end' },
        { id: 'b', type: 'say', text: 'x' },
      ],
    ],
    [
      'steps.1.id',
      [
        { id: 'a', type: 'say', text: 'x' },
        { id: 'a', type: 'say', text: 'y' },
      ],
    ],
    ['steps.0.text', [{ id: 'a', type: 'say', text: '{{nothing}}' }]],
    ['steps.0.url', [{ id: 'a', type: 'call', method: 'GET', url: 'https://{{result.x}}.test/' }]],
    ['steps.0.body', [{ id: 'a', type: 'call', method: 'POST', url: 'https://a.test', body: '{"a":{{b}}}' }]],
    [
      'steps.0.headers.0.name',
      [
        {
          id: 'a',
          type: 'call',
          method: 'GET',
          url: 'https://a.test',
          headers: [{ name: 'Host', value: 'x' }],
        },
      ],
    ],
  ])('refuses steps that can’t work: %s', async (path, steps) => {
    const refused = await tryDesk('actions.create', { name: 'x', label: 'x', steps });
    expect(refused.status).toBe(400);
    expect(refused.body.error.issues.map((issue: Json) => issue.path)).toContain(path);
  });

  it('the log masks masked inputs, and loses the values of an erased visitor', async () => {
    const masked = { ...askOrder, input: { name: 'order', kind: 'code', masked: true } } as NewStep;
    await makeAction({ steps: [masked, look(), tell] });
    const key = `user-${randomUUID()}`;
    const chat = await openChat({ key });
    await chat.say('Track my order');
    await chat.say('1042');
    expect(await callsOf(chat.id())).toMatchObject([{ input: { order: '•••' } }]);
    await desk('visitors.erase', { key });
    expect(await callsOf(chat.id())).toMatchObject([{ input: {}, response_excerpt: null }]);
  });

  it('another site sees, changes and calls nothing of it', async () => {
    const { id } = await makeAction();
    const other = await app.makeSite();
    const stranger = await app.signIn(other.admin.email);
    expect((await app.desk(stranger, 'actions.list', {})).body.data).toEqual([]);
    for (const [operation, input] of [
      ['actions.update', { id, enabled: false }],
      ['actions.delete', { id }],
      ['actions.test', { id, step_id: 'look' }],
      ['action_calls.list', { action_id: id }],
    ] as const)
      expect((await app.desk(stranger, operation, input)).status).toBe(404);
    expect(shop.requests).toEqual([]);
  });
});
