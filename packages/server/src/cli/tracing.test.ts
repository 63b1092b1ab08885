import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  foyer,
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  until,
} from '../../test/fixtures/foyer.ts';
import { emptyDatabase, type TestDatabase } from '../../test/harness.ts';
import { bundledProgram } from '../../test/program-copy.ts';
import { answerWith, type Receiver, startReceiver } from '../../test/receiver.ts';
import { TestSocket } from '../../test/sockets.ts';
import { say } from '../../test/stand.ts';
import { type ReceivedSpan, startTraceCollector, type TraceCollector } from '../../test/trace-collector.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

const SECRET = 'the secret of the operator, 32 and more';
const SAID = 'Where is my parcel 4711?';
const NAME = 'Priya Example';
const EMAIL = 'priya@shop.example';

let database: TestDatabase;
let places: Installation[];
let collector: TraceCollector;
let receiver: Receiver;

beforeEach(async () => {
  database = await emptyDatabase();
  places = await Promise.all([newInstallation(), newInstallation()]);
  collector = await startTraceCollector();
  receiver = await startReceiver(answerWith(200, 'ok'));
});

afterEach(async () => {
  await Promise.all(places.map((place) => place.clear()));
  await database.close();
  await collector.close();
  await receiver.close();
});

const settingsOf = (at: number): Record<string, string> => ({
  ...places[at]?.settings,
  DATABASE_URL: database.url,
  FOYER_SECRET: SECRET,
  FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
});

const serve = (at: number, role: string, more: Record<string, string>, bin?: string) => {
  const place = places[at];
  if (!place) throw new Error('no such place');
  return place.serve(
    'start',
    { ...settingsOf(at), FOYER_ROLE: role, LOG_LEVEL: 'info', ...more },
    false,
    bin,
  );
};

const traced = (service: string): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_SERVICE_NAME: service,
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

async function makeSite() {
  const settings = settingsOf(0);
  const site = await foyerJson<{ id: number; public_key: string }>(
    ['site', 'create', '--name', 'Shop'],
    settings,
  );
  const args = ['token', 'create', '--site', String(site.id), '--name', 'CRM', '--scopes', 'read,write'];
  const { token } = await foyerJson<{ token: string }>(args, settings);
  return { publicKey: site.public_key, token };
}

const speak = (
  url: string,
  token: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
) =>
  fetch(`${url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const find = (service: string, name: string | RegExp, parentId?: string): ReceivedSpan | undefined =>
  collector.spans.find(
    (span) =>
      span.service === service &&
      (typeof name === 'string' ? span.name === name : name.test(span.name)) &&
      (parentId === undefined || span.parentId === parentId),
  );
const got = (service: string, name: string | RegExp, parentId?: string): Promise<ReceivedSpan> =>
  until(`the span ${name}`, async () => find(service, name, parentId));

test('one message is one trace, from the socket over its statements to the bot’s job in a worker', async () => {
  const web = await serve(0, 'web', traced('web'));
  const worker = await serve(1, 'worker', traced('worker'));
  const { publicKey, token } = await makeSite();
  const { socket } = await TestSocket.visitor(web.url, publicKey, {
    attributes: { name: NAME, email: EMAIL },
  });
  await say(socket, null, SAID);

  const call = await until('the call', async () =>
    collector.spans.find((span) => span.name === 'socket call' && find('web', 'chat.send', span.id)),
  );
  expect(call).toMatchObject({ service: 'web', parentId: '' });
  const operation = await got('web', 'chat.send', call.id);
  const statement = await got('web', /^sql /, operation.id);
  expect(statement.attributes).toMatchObject({ 'db.system.name': 'postgresql' });
  const job = await got('worker', 'job bot.answer');
  expect(job.traceId).toBe(call.traceId);
  expect(collector.spans.find(({ id }) => id === job.parentId)).toMatchObject({ service: 'web' });
  const look = await got('worker', /^sql /, job.id);
  expect(look.attributes['db.query.text']).toMatch(/ site_id = \$1/);
  for (const span of [operation, statement, job, look]) expect(span.traceId).toBe(call.traceId);

  // Over HTTP it continues the trace of the caller, and the log contains its id.
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await speak(web.url, token, 'webhook_subscriptions', { url: receiver.url, events: ['visitor_identified'] });
  const answer = await speak(
    web.url,
    token,
    'visitors',
    { key: 'u1', name: NAME, email: EMAIL },
    { traceparent },
  );
  expect(answer.ok).toBe(true);
  const request = await got('web', 'POST /v1/api.ashx', 'b7ad6b7169203331');
  expect(request.traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  const upsert = await got('web', 'visitors.upsert', request.id);
  await got('web', /^sql INSERT/, upsert.id);
  expect(web.output()).toContain('"trace_id":"0af7651916cd43dd8448eb211c80319c"');
  // Receivers don't get it unless the operator enables that.
  const [delivered] = await receiver.received(1);
  expect(delivered?.headers).not.toHaveProperty('traceparent');
  // The delivery belongs to the request that caused it, on whichever worker it is sent.
  const sent = await got('worker', 'send webhook');
  expect(sent.traceId).toBe(request.traceId);
  expect(collector.spans.find(({ id }) => id === sent.parentId)).toMatchObject({ service: 'web' });

  for (const secret of [SAID, '4711', NAME, EMAIL, token, publicKey, receiver.url])
    expect(collector.raw()).not.toContain(secret);
  socket.cut();
  expect(await worker.end('SIGTERM')).toBe(0);
});

test('receivers of webhooks get the trace if the operator enables it, and nothing is traced without a collector', async () => {
  const server = await serve(0, 'all', { ...traced('all'), FOYER_TRACE_WEBHOOKS: 'true' });
  const { token } = await makeSite();
  await speak(server.url, token, 'webhook_subscriptions', {
    url: receiver.url,
    events: ['visitor_identified'],
  });
  await speak(server.url, token, 'visitors', { key: 'u1' });
  const [delivered] = await receiver.received(1);
  const [, traceId, spanId] = delivered?.headers.traceparent?.split('-') ?? [];
  const sent = await until('the span of the webhook', async () =>
    collector.spans.find(({ id }) => id === spanId),
  );
  expect(sent).toMatchObject({ name: 'send webhook', traceId });
  await server.end('SIGTERM');

  const before = collector.spans.length;
  const silent = await serve(0, 'all', { ...traced('all'), OTEL_SDK_DISABLED: 'true' });
  await speak(silent.url, token, 'visitors', { key: 'u2' });
  await receiver.received(2);
  await silent.end('SIGTERM');
  expect(silent.output()).not.toContain('trace_id');
  expect(collector.spans.length).toBe(before);
  const refused = await foyer(['start'], {
    ...settingsOf(0),
    ...traced('all'),
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  });
  expect(refused.stderr).toBe('OTEL_EXPORTER_OTLP_PROTOCOL=grpc is invalid: expected one of http/protobuf\n');
});

const attempts = (): ReceivedSpan[] => collector.spans.filter(({ name }) => name === 'send webhook');

test('the bundle that npm start runs traces as well, and a retried delivery stays in the trace of its request', async () => {
  const bin = await bundledProgram();
  const flaky = await startReceiver((response, request, index) =>
    answerWith(index === 0 ? 500 : 200, 'ok')(response, request, index),
  );
  onTestFinished(() => flaky.close());
  const server = await serve(0, 'all', { ...traced('bundle'), FOYER_WEBHOOK_DELAYS: '1ms' }, bin);
  const { token } = await makeSite();
  await speak(server.url, token, 'webhook_subscriptions', { url: flaky.url, events: ['visitor_identified'] });
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await speak(server.url, token, 'visitors', { key: 'u1' }, { traceparent });
  await flaky.received(2);
  await until('both attempts', async () => attempts().length === 2);
  for (const { traceId } of attempts()) expect(traceId).toBe('0af7651916cd43dd8448eb211c80319c');
  expect(attempts().map(({ failed }) => failed)).toEqual([true, false]);
  await got('bundle', /^sql /);
  await got('bundle', 'visitors.upsert');
});
