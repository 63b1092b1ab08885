import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config.ts';
import { newSetupLink } from '../../src/sites/sign-in/setup.ts';
import { type Json, PASSWORD } from '../app.ts';
import { TEST_SECRET, testDatabase, until } from '../harness.ts';
import { answerWith, startReceiver } from '../receiver.ts';
import { TestSocket } from '../sockets.ts';
import { eventsOf, openChat } from '../stand.ts';

// No log line contains a secret, whatever goes wrong, and every line of a request has its id.

const lines: Json[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line)) });

it('no line contains a token, a password, a cookie or a secret, and each of a request has its id', async () => {
  const database = await testDatabase();
  const config = readConfig({ PORT: '0', FOYER_WEBHOOK_ALLOW_PRIVATE: 'true', FOYER_WEBHOOK_DELAYS: '50ms' });
  const app = await createApp({ config, databaseUrl: database.url, secret: TEST_SECRET, log });
  const url = await app.listen();
  const receiver = await startReceiver(answerWith(500, 'no'));
  const secrets: Record<string, string> = { secret: TEST_SECRET, password: PASSWORD };
  let cookie = '';
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        origin: url,
        cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const id = response.headers.get('x-service-request-id') ?? '';
    const text = await response.text();
    const answer: Json = text.startsWith('{') ? JSON.parse(text) : text;
    return { response, id, answer };
  };

  // Setup, sign-in, invitation.
  const email = `admin-${randomUUID()}@example.com`;
  const link = (await newSetupLink(app.database.db, url)) ?? '';
  secrets.setup = link.split('#')[1] ?? '';
  const person = { name: 'Ada', email, password: PASSWORD, site_name: 'Shop', sample_knowledge: false };
  await ask('POST', '/app/setup', { ...person, token: secrets.setup, odd: 1 });
  await ask('POST', '/app/setup/check', { token: secrets.setup });
  const made = await ask('POST', '/app/setup', { ...person, token: secrets.setup });
  expect(made.response.status).toBe(201);
  const signIn = await ask('POST', '/app/auth/sign-in/email', { email, password: PASSWORD });
  cookie = signIn.response.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  secrets.cookie = decodeURIComponent(cookie.split('=')[1] ?? '').split('.')[0] ?? '';
  await ask('POST', '/app/auth/sign-in/email', { email, password: `${PASSWORD} wrong` });
  await ask('POST', '/app/auth/sign-in/email', `{"email":"${email}","password":"${PASSWORD}`);
  await app.database.db.updateTable('sites').set({ plan: 'growth' }).execute();
  const invited = await ask('POST', '/app/api/agents.invite', { email: 'ben@example.com' });
  secrets.invitation = String(invited.answer.data.link ?? invited.answer.data.url).split('#')[1] ?? '';
  await ask('POST', '/app/invitation/check', { token: secrets.invitation });

  // API tokens, in every place where one may occur.
  const token = await ask('POST', '/app/api/api_tokens.create', { name: 'CI', scopes: 'read,write' });
  secrets.token = token.answer.data.token;
  const bearer = { authorization: `Bearer ${secrets.token}` };
  for (const name of ['token', 'TOKEN', '%74oken', 't%6Fken', 'x=1&token', 'api_token'])
    await ask('GET', `/v1/whoami?${name}=${secrets.token}`);
  await ask('GET', `/v1/nothing?token=${secrets.token}`);
  await ask('GET', `/nowhere?a=1?token=${secrets.token}`);
  await ask('GET', '/v1/tags?limit=0', undefined, bearer);
  await ask('POST', '/v1/tags', '{"name":', bearer);

  // Webhooks that fail, and a visitor.
  const hook = { url: receiver.url, events: ['conversation_started'] };
  const subscription = await ask('POST', '/v1/webhook_subscriptions', hook, bearer);
  secrets.webhook = subscription.answer.data.secret;
  await ask('POST', '/v1/webhook_subscriptions', { ...hook, secret: `${secrets.webhook}\0` }, bearer);
  const { socket, welcome, id } = await openChat({ url, publicKey: made.answer.data.public_key });
  secrets.visitor = welcome.token;
  await TestSocket.visitor(url, made.answer.data.public_key, { token: welcome.token });
  await until(async () => eventsOf(receiver.requests, 'conversation_started', id).length === 2);

  // A ticket's portal link and file, which have keys in their addresses.
  const ticket = { subject: 'Lamp', body: 'It broke.', requester: { email: 'mira@visitor.example' } };
  const { answer: ofTicket } = await ask('POST', '/v1/tickets', ticket, bearer);
  const ofIt = { ticket_id: ofTicket.data.id };
  secrets.portal = (await ask('POST', '/v1/portal_token', ofIt, bearer)).answer.data.token;
  const files = [{ name: 'label.txt', content: 'eA==' }];
  const note = { ...ofIt, type: 'note', body: 'x', attachments: files };
  const noted = await ask('POST', '/v1/ticket_reply', note, bearer);
  const { pathname, search, searchParams } = new URL(noted.answer.data.attachments[0].url);
  secrets.signature = searchParams.get('signature') ?? '';
  const keyed = [
    `/portal/${secrets.portal}`,
    `/portal/${secrets.portal}?sent=1`,
    `/%70ortal/${secrets.portal}`,
    `/portal%2F${secrets.portal}`,
    `/portal/${secrets.portal}/attachments/1`,
    `/portal/${secrets.portal}/nowhere`,
    `/nowhere/${secrets.portal}`,
    pathname + search,
    pathname + search.replace('signature', '%73ignature'),
  ];
  for (const path of keyed) await ask('GET', path);
  for (const path of keyed) await ask('POST', path, {});

  // Then everything again while the database is away, when most is logged.
  await app.database.close();
  const failed = [
    await ask('GET', `/v1/whoami?token=${secrets.token}`),
    await ask('GET', '/v1/tags', undefined, bearer),
    await ask('POST', '/app/api/sites.mine', {}),
    await ask('POST', '/app/auth/sign-in/email', { email, password: PASSWORD }),
    await ask('POST', '/app/setup/check', { token: secrets.setup }),
    await ask('POST', '/app/invitation/check', { token: secrets.invitation }),
    await ask('GET', `/portal/${secrets.portal}`),
    await ask('GET', pathname + search),
  ];
  await socket.call('chat.mark_read', { session_id: id, seq: 1 }).catch(() => undefined);
  socket.cut();

  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(10);
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
      expect(
        lines.filter((line) => JSON.stringify(line).includes(form)),
        name,
      ).toEqual([]);
  }
  for (const { id: requestId } of [made, signIn, token, subscription, ...failed]) {
    expect(requestId).toMatch(/^req_/);
    expect(lines.some((line) => line.request_id === requestId)).toBe(true);
  }
  const ofRequests = lines.filter(
    ({ msg }) => /^(request|call|hello|job) /.test(`${msg} `) && !/^job/.test(msg),
  );
  expect(ofRequests.length).toBeGreaterThan(20);
  expect(ofRequests.filter(({ request_id }) => !request_id)).toEqual([]);

  await app.close();
  await receiver.close();
  await database.close();
});
