import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, answerOf, type Json, startTestApp, type TestApp, type TestSite } from '../app.ts';
import { until } from '../harness.ts';
import { answerWith, type Answer as Reaction, type Receiver, startReceiver } from '../receiver.ts';

// Attacks on interfaces of programs: event stream, actions' calls, provisioning. Planned from the documentation alone.

let app: TestApp;
let guarded: TestApp;
let site: TestSite;
let other: TestSite;
let ada: string;
let reaction: Reaction;
let shop: Receiver;
beforeAll(async () => {
  [app, guarded] = await Promise.all([
    startTestApp(),
    startTestApp({ FOYER_WEBHOOK_ALLOW_PRIVATE: 'false' }),
  ]);
  shop = await startReceiver((...args) => reaction(...args));
});
beforeEach(async () => {
  [site, other] = [await app.makeSite(), await app.makeSite()];
  ada = await app.signIn(site.admin.email);
  reaction = answerWith(200, '{}', { 'content-type': 'application/json' });
  shop.requests.length = 0;
});
afterAll(async () => {
  await shop.close();
  await Promise.all([app.close(), guarded.close()]);
});

const done = ({ status, body }: Answer): Json => {
  expect([status, body.error?.message]).toEqual([200, undefined]);
  return body.data;
};

const open: AbortController[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.abort();
});
/** Opens a stream and collects its bytes. */
async function listen(query = '', headers: Record<string, string> = {}, token: string | null = site.read) {
  const stop = new AbortController();
  open.push(stop);
  const response = await fetch(`${app.url}/v1/stream${query}`, {
    signal: stop.signal,
    headers: { connection: 'close', ...(token && { authorization: `Bearer ${token}` }), ...headers },
  });
  let text = '';
  if (response.status === 200)
    void (async () => {
      const decoder = new TextDecoder();
      for await (const part of response.body ?? []) text += decoder.decode(part, { stream: true });
    })().catch(() => undefined);
  else text = await response.text();
  return { status: response.status, text: () => text };
}
const say = (text: string, of = site) =>
  app.rest(of.write, 'POST', '/v1/conversations', { key: `user_${randomUUID()}`, text });

describe('the event stream', () => {
  it('has no event that a message’s text creates', async () => {
    const stream = await listen('?types=message_created');
    const evil =
      'a\n\nid: 1.1\nevent: reset\ndata: {}\n\r\n\r\nevent: security_event\rdata: {"x":1}\r\r\u2028event: x\u2029\u0085';
    await say(evil);
    await say('the end');
    await until(async () => stream.text().includes('the end'));
    // As the standard ends lines.
    const lines = stream.text().split(/\r\n|\r|\n/);
    const events = lines.filter((line) => line.startsWith('event: ')).map((line) => line.slice(7));
    expect(new Set(events)).toEqual(new Set(['open', 'message_created']));
    expect(stream.text()).not.toMatch(/\r/);
  });

  it.each([
    '-1',
    '0.0',
    '99999999999999999999.99999999999999999999',
    "1.1' or 1=1--",
    '1e400.1',
    'NaN',
    '1.1\u0000',
    '9'.repeat(5000),
    '../..',
  ])('goes on behind %s without an error of ours or anything of another site', async (id) => {
    await say(`secret of the other ${id.slice(0, 5)}`, other);
    const { status, text } = await listen(`?${new URLSearchParams({ last_event_id: id })}`);
    expect([200, 400]).toContain(status);
    await say('ours');
    if (status === 200) await until(async () => /ours|event: /.test(text()));
    expect(text()).not.toContain('secret of the other');
  });

  it('is refused without a token, and after five', async () => {
    expect((await listen('', {}, null)).status).toBe(401);
    expect((await listen(`?access_token=${site.read}`, {}, null)).status).toBe(401);
    const many = await Promise.all(Array.from({ length: 9 }, () => listen()));
    expect(many.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(many.filter(({ status }) => status === 429)).toHaveLength(4);
  });

  it('shows no note to a token for messages, not even a note on a message', async () => {
    const made = done(
      await app.desk(ada, 'api_tokens.create', { name: 'm', scopes: 'conversation_messages:read' }),
    );
    for (const types of [
      'note_created',
      'message_created,note_created',
      'NOTE_CREATED',
      'security_event',
      '*',
    ])
      expect((await listen(`?types=${types}`, {}, made.token)).status).toBeGreaterThanOrEqual(400);
    const stream = await listen('', {}, made.token);
    const chat = (await say('hello')).body.data.session_id;
    await app.desk(ada, 'sessions.note', { session_id: chat, client_id: randomUUID(), text: 'between us' });
    await app.rest(site.write, 'POST', '/v1/conversation_messages', {
      session_id: chat,
      sender: 'visitor',
      text: 'the end',
    });
    await until(async () => stream.text().includes('the end'));
    expect(stream.text()).not.toContain('between us');
  });
});

const action = (url: string, more: object = {}) => ({
  name: `A ${randomUUID()}`,
  label: `Do ${randomUUID()}`,
  steps: [
    { id: 'ask', type: 'ask', question: 'Which?', input: { name: 'order', kind: 'text' } },
    {
      id: 'look',
      type: 'call',
      method: 'POST',
      url,
      body: '{"order":"{{order}}","role":"guest"}',
      ...more,
    },
    { id: 'tell', type: 'say', text: 'It is {{result.status}} {{result.a}}' },
  ],
});
const tryIt = async (at: TestApp, cookie: string, made: Json, order: string): Promise<Answer> =>
  at.desk(cookie, 'actions.test', { id: made.id, step_id: 'look', values: { order } });

describe('an action’s call', () => {
  const EVIL = [
    '../../admin',
    '..%2f..%2fadmin',
    '?admin=1',
    '#',
    '@evil.example/',
    '1\r\nX-Evil: yes\r\n\r\nGET /x',
    '","role":"admin","x":"',
    '\\',
    '\u0000',
    '1/../2',
    '.',
    '..',
    '%2e%2e',
    '\ud800',
  ];
  it('keeps a value within its part of the URL and the body', async () => {
    const base = new URL(shop.url).origin;
    const made = done(
      await app.desk(ada, 'actions.create', action(`${base}/orders/{{order}}/detail?q={{order}}`)),
    );
    for (const order of EVIL) {
      shop.requests.length = 0;
      expect((await tryIt(app, ada, made, order)).status).toBeLessThan(500);
      for (const request of shop.requests) {
        const url = new URL(request.path, base);
        expect([order, url.pathname.split('/')]).toEqual([
          order,
          ['', 'orders', expect.anything(), 'detail'],
        ]);
        expect([...url.searchParams.keys()]).toEqual(['q']);
        expect(request.headers['x-evil']).toBeUndefined();
        expect(Object.keys(JSON.parse(request.body))).toEqual(['order', 'role']);
        expect(JSON.parse(request.body).role).toBe('guest');
      }
    }
  });

  it.each([
    'https://{{order}}.example/',
    'https://a@{{order}}/',
    'https://user:pass@shop.example/',
    'ftp://shop.example/',
    'file:///etc/passwd',
    'https://shop.example:{{order}}/',
    '{{order}}',
    '//127.0.0.1/',
  ])('to %s is refused when it is saved', async (url) => {
    const { status } = await app.desk(ada, 'actions.create', action(url));
    expect(status).toBe(400);
  });

  it('reaches no address of the internal network, however it is written, nor by a redirect', async () => {
    const own = await guarded.makeSite();
    const cookie = await guarded.signIn(own.admin.email);
    const { port } = new URL(shop.url);
    for (const host of [
      '127.0.0.1',
      'localhost',
      'localhost.',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[64:ff9b::7f00:1]',
      '0.0.0.0',
      '[::]',
      '169.254.169.254',
      '１２７.0.0.1',
      '127。0。0。1',
    ]) {
      const made = await guarded.desk(
        cookie,
        'actions.create',
        action(`http://${host}:${port}/`, { method: 'GET', body: undefined }),
      );
      if (made.status === 200) await tryIt(guarded, cookie, made.body.data, '1');
    }
    expect(shop.connections()).toBeLessThan(100);
    expect(shop.requests).toEqual([]);
  });

  it('follows no redirect, and ends at a response that is too large', async () => {
    const made = done(
      await app.desk(
        ada,
        'actions.create',
        action(new URL(shop.url).origin, { method: 'GET', body: undefined }),
      ),
    );
    const cases: [string, Reaction][] = [
      ['redirect', answerWith(302, '', { location: `${new URL(shop.url).origin}/second` })],
      [
        'deep',
        answerWith(200, `${'['.repeat(30_000)}${']'.repeat(30_000)}`, { 'content-type': 'application/json' }),
      ],
      [
        'deep objects',
        answerWith(200, `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, {
          'content-type': 'application/json',
        }),
      ],
      [
        'proto',
        answerWith(200, '{"__proto__":{"status":"polluted"},"constructor":{"a":1}}', {
          'content-type': 'application/json',
        }),
      ],
      [
        'gzip',
        (response) =>
          void response
            .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(50_000_000, ' '))),
      ],
      [
        'many keys',
        answerWith(200, `{${Array.from({ length: 6000 }, (_, n) => `"k${n}":1`).join(',')}}`, {
          'content-type': 'application/json',
        }),
      ],
    ];
    for (const [name, answer] of cases) {
      reaction = answer;
      shop.requests.length = 0;
      const tried = await tryIt(app, ada, made, '1');
      expect(shop.requests.map(({ path }) => path)).not.toContain('/second');
      expect([name, tried.status < 500]).toEqual([name, true]);
    }
    expect(Reflect.get({}, 'status')).toBeUndefined();
  });
});

const scim = async (method: string, path: string, token: string, body?: unknown): Promise<Answer> =>
  answerOf(
    await fetch(`${app.url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );

describe('provisioning', () => {
  let token: string;
  beforeEach(async () => {
    const provider = done(
      await app.desk(ada, 'identity_providers.create', {
        name: 'Corp',
        issuer: 'http://127.0.0.1:9',
        client_id: 'a',
        client_secret: 'b'.repeat(20),
        domains: ['example.com', 'corp.example'],
        group_roles: [{ group: 'leads', role: 'admin' }],
      }),
    );
    token = done(await app.desk(ada, 'identity_providers.rotate_scim_token', { id: provider.id })).token;
  });
  const newEmail = () => `ben-${randomUUID()}@corp.example`;
  const add = async (userName: string, more: object = {}): Promise<Answer> =>
    scim('POST', '/Users', token, {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName,
      active: true,
      ...more,
    });

  it('answers any filter, deep or broken, in time and within its site', async () => {
    const email = newEmail();
    await add(email);
    for (const filter of [
      `userName eq "x" or userName eq "${email}"`,
      `${'('.repeat(20_000)}userName eq "x"${')'.repeat(20_000)}`,
      `${'not '.repeat(20_000)}(userName eq "x")`,
      `userName eq "${'\\'.repeat(9999)}"`,
      `userName eq "x" ${'and userName eq "x" '.repeat(5000)}`,
      `emails[${'emails['.repeat(3000)}value eq "x"`,
      `password sw "a"`,
      `__proto__ eq "x"`,
      `__proto__.polluted eq "x"`,
      `userName eq "x" or constructor.prototype.polluted eq "x"`,
      `toString.call eq "x"`,
      `emails[__proto__.polluted eq "x"]`,
      `name eq "a" and name.b eq "c"`,
      `userName eq "\0"`,
      `userName eq "constructor@corp.example"`,
      `userName eq "' or 1=1--"`,
      `userName sw ""`,
    ]) {
      const { status } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`, token);
      expect([filter.slice(0, 40), status < 500]).toEqual([filter.slice(0, 40), true]);
    }
  });

  it('changes no object of the process by a filter or path', async () => {
    const { body: ben } = await add(newEmail());
    const names = [
      '__proto__.polluted',
      'constructor.prototype.polluted',
      '__PROTO__.polluted',
      ' __proto__ . polluted',
      '"x" eq "y" or __proto__.polluted',
      'toString.polluted',
    ];
    for (const name of names) {
      await scim('GET', `/Users?filter=${encodeURIComponent(`${name} eq "x"`)}`, token);
      await scim('GET', `/Groups?filter=${encodeURIComponent(`${name} eq "x"`)}`, token);
      for (const path of [`name[${name} eq "x"]`, `name[${name} eq "x"].givenName`, `name.${name}`])
        for (const op of ['add', 'replace', 'remove'])
          await scim('PATCH', `/Users/${ben.id}`, token, {
            schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
            Operations: [{ op, path, value: 'x' }],
          });
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(Reflect.get(Object.prototype.toString, 'polluted')).toBeUndefined();
  });

  it('makes nobody an admin or another person by the contents of a record', async () => {
    const email = newEmail();
    const { body: ben } = await add(email, {
      roles: [{ value: 'admin' }],
      userType: 'admin',
      entitlements: ['admin'],
      groups: [{ value: 'leads', display: 'leads' }],
      'urn:foyer': { role: 'admin' },
    });
    const find = async () => done(await app.desk(ada, 'agents.list')).agents as Json[];
    expect((await find()).find((one) => one.email === email)?.role).toBe('agent');
    for (const [path, value] of [
      ['userName', site.admin.email],
      ['emails[type eq "work"].value', site.admin.email],
      ['id', '1'],
      ['roles', [{ value: 'admin' }]],
      ['groups', [{ value: 'leads' }]],
      ['__proto__.role', 'admin'],
      ['constructor.prototype.role', 'admin'],
      ['password', 'a whole new password'],
      ['meta', { location: 'x' }],
    ] as const) {
      const { status } = await scim('PATCH', `/Users/${ben.id}`, token, {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [
          { op: 'replace', path, value },
          { op: 'add', value: { [path]: value } },
        ],
      });
      expect([path, status < 500]).toEqual([path, true]);
    }
    const people = await find();
    expect(people.filter(({ role }) => role === 'admin').map(({ email }) => email)).toEqual([
      site.admin.email,
    ]);
    expect(people.map(({ email }) => email).sort()).toEqual([site.admin.email, email].sort());
    expect(Reflect.get({}, 'role')).toBeUndefined();
  });

  it('does not reveal an admin of another site, nor accept another kind of token', async () => {
    await add(other.admin.email);
    await expect(app.signIn(other.admin.email)).resolves.toBeTruthy();
    for (const wrong of [site.write, `${token}x`, token.slice(0, -1), '', 'null', token.toUpperCase()])
      expect((await scim('GET', '/Users', wrong)).status).toBe(401);
    expect((await app.rest(token, 'GET', '/v1/whoami')).status).toBe(401);
    const huge = await scim('PATCH', '/Users/1', token, {
      Operations: Array.from({ length: 20_000 }, () => ({ op: 'add', path: 'x', value: 'y' })),
    });
    expect(huge.status).toBeLessThan(500);
    const bodies = [
      '[]',
      'null',
      '"x"',
      '{"Operations":{"length":1e9}}',
      `{"Operations":${'['.repeat(50_000)}`,
    ];
    for (const body of bodies) expect((await scim('POST', '/Users', token, body)).status).toBe(400);
  });
});
