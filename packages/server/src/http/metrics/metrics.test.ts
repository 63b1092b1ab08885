import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { readPage, sectionOf } from '../../../test/doc-pages.ts';
import { until } from '../../../test/harness.ts';
import { answerWith, type Receiver, startReceiver } from '../../../test/receiver.ts';
import { openChat } from '../../../test/stand.ts';
import { noteProblem } from '../../email/routes/state.ts';

let nowMs = Date.parse('2026-11-02T09:00:00Z');

let app: TestApp;
let site: TestSite;
let receiver: Receiver;
beforeAll(async () => {
  // A process that only serves: nobody runs the jobs that it queues.
  app = await startTestApp({ FOYER_ROLE: 'web' }, { now: () => new Date(nowMs) });
  site = await app.makeSite();
  receiver = await startReceiver(answerWith(200, 'ok'));
});
afterAll(async () => {
  await receiver.close();
  await app.close();
});

const valuesOf = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line.startsWith('foyer_'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );

/** The content of /metrics once the last look is too old to be repeated. */
async function metrics(): Promise<Map<string, number>> {
  nowMs += 5_000;
  const response = await fetch(`${app.url}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  return valuesOf(await response.text());
}

const DEPLOY = new URL('../../../../../deploy/', import.meta.url);

/** All metrics that /metrics describes, including those without a value yet. */
async function metricNames(): Promise<string[]> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
}

/** Every `expr` in a tree of rules or panels. */
function expressionsOf(tree: unknown): string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  const own = 'expr' in tree && typeof tree.expr === 'string' ? [tree.expr] : [];
  return [...own, ...Object.values(tree).flatMap(expressionsOf)];
}

async function openWaitingChat(): Promise<void> {
  const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
  await socket.call('chat.request_person', { session_id: id, client_id: randomUUID() });
  socket.cut();
}

describe('GET /metrics', () => {
  it('counts waiting chats of all sites and says how long the first has waited', async () => {
    const before = await metrics();
    expect(before.get('foyer_chats_waiting')).toBe(0);
    expect(before.get('foyer_chats_waiting_longest_seconds')).toBe(0);
    await openWaitingChat();
    nowMs += 115_000;
    site = await app.makeSite();
    await openWaitingChat();
    const after = await metrics();
    expect(after.get('foyer_chats_waiting')).toBe(2);
    expect(after.get('foyer_chats_waiting_longest_seconds')).toBe(120);
  });

  it('counts deliveries that wait to be sent, and dead ones', async () => {
    await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', {
      url: receiver.url,
      events: ['visitor_identified'],
    });
    for (const key of ['user_1', 'user_2']) await app.rest(site.write, 'POST', '/v1/visitors', { key });
    const waiting = await metrics();
    expect(waiting.get('foyer_webhook_deliveries_pending')).toBe(2);
    expect(waiting.get('foyer_webhook_deliveries_dead')).toBe(0);

    const { db } = app.app.database;
    const { delivery_id } = await db
      .deleteFrom('webhook_queue')
      .where('delivery_id', '=', (queue) =>
        queue.selectFrom('webhook_queue').select((e) => e.fn.min('delivery_id').as('id')),
      )
      .returning('delivery_id')
      .executeTakeFirstOrThrow();
    await db
      .updateTable('webhook_deliveries')
      .set({ dead_at: new Date() })
      .where('id', '=', delivery_id)
      .execute();
    const after = await metrics();
    expect(after.get('foyer_webhook_deliveries_pending')).toBe(1);
    expect(after.get('foyer_webhook_deliveries_dead')).toBe(1);
  });

  it('counts mailboxes by state, and says how long ago the last check was', async () => {
    const create = async (): Promise<number> => {
      const address = `${randomUUID()}@shop.example`;
      const imap = { host: 'imap.shop.example', user: 'help', password: 'open' };
      return (await app.rest(site.write, 'POST', '/v1/mailboxes', { address, imap })).body.data.id;
    };
    const [failing, paused] = [await create(), await create(), await create()];
    await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${paused}`, { enabled: false });
    await noteProblem(site.operator, failing, 'Port: closed.');
    nowMs += 60_000;
    const values = await metrics();
    const state = (name: string) => values.get(`foyer_mailboxes{state="${name}"}`);
    expect(['reading', 'failing', 'connecting', 'paused'].map(state)).toEqual([0, 1, 1, 1]);
    expect(values.get('foyer_mailbox_unchecked_seconds')).toBe(65);
    expect(values.get('foyer_mails_waiting')).toBe(0);
  });

  it('counts the jobs that no worker has run', async () => {
    const queued = 'foyer_jobs{name="bot.answer",state="queued"}';
    await until(async () => ((await metrics()).get(queued) ?? 0) > 0);
    expect((await metrics()).get('foyer_jobs{name="mail.reply",state="failed"}')).toBe(0);
  });

  it('says for which entry point the event loop works', async () => {
    const busy = (values: Map<string, number>, entry: string): number =>
      values.get(`foyer_event_loop_busy_seconds_total{entry="${entry}"}`) ?? Number.NaN;
    const before = await metrics();
    await app.rest(site.read, 'GET', '/v1/tags');
    const after = await metrics();
    expect(busy(after, 'rest')).toBeGreaterThan(busy(before, 'rest'));
    // Files share a worker, in which others have opened portals.
    expect(busy(after, 'portal')).toBe(busy(before, 'portal'));
    expect(after.has('foyer_event_loop_blocked_total{entry="rest"}')).toBe(true);
  });

  it('says how the connections of this process are used', async () => {
    const used = 'foyer_database_connections{state="used"}';
    const connection = await app.app.database.pool.connect();
    expect((await metrics()).get(used)).toBe(1);
    connection.release();
    const values = await metrics();
    expect(values.get(used)).toBe(0);
    expect(values.get('foyer_database_connections{state="idle"}')).toBeGreaterThan(0);
    expect(values.get('foyer_database_connections{state="requested"}')).toBe(0);
  });

  it('gives no value, rather than 0, for a number that it can’t count', async () => {
    const { db } = app.app.database;
    await sql`alter table webhook_queue rename to elsewhere`.execute(db);
    const values = await metrics();
    await sql`alter table elsewhere rename to webhook_queue`.execute(db);
    expect(values.get('foyer_chats_waiting')).toBeNaN();
    expect([...values.keys()].filter((name) => name.startsWith('foyer_jobs'))).toEqual([]);
    expect(values.get('foyer_sockets_open{kind="agent"}')).toBe(0);
    expect((await metrics()).get('foyer_chats_waiting')).toBeGreaterThan(0);
  });

  it('has the metrics of the docs, and no others of its own', async () => {
    const { text } = sectionOf(readPage('operations/metrics.md'), 'Metrics');
    const documented = [...text.matchAll(/^\| `(foyer_\w+)` \|/gm)].map(([, name]) => name);
    const own = (await metricNames()).filter((name) => name.startsWith('foyer_'));
    expect(own.sort()).toEqual(documented.sort());
  });

  it('has every metric of the dashboard and the alert rules', async () => {
    const known = await metricNames();
    for (const file of ['grafana/foyer.json', 'prometheus/alerts.yml']) {
      const expressions = expressionsOf(parse(readFileSync(new URL(file, DEPLOY), 'utf8')));
      expect(expressions.length, file).toBeGreaterThan(10);
      const used = expressions.flatMap((one) => one.match(/\b(foyer|nodejs|process)_\w+/g) ?? []);
      const unknown = used.filter(
        (name) => !known.includes(name) && !known.includes(name.replace(/_(bucket|sum|count)$/, '')),
      );
      expect(unknown, file).toEqual([]);
    }
  });

  it('has every metric of its own on the dashboard', async () => {
    const dashboard = readFileSync(new URL('grafana/foyer.json', DEPLOY), 'utf8');
    const own = (await metricNames()).filter((name) => name.startsWith('foyer_'));
    expect(own.filter((name) => !dashboard.includes(name))).toEqual([]);
  });

  it('counts visitors’ messages by sender, and the sockets by kind', async () => {
    const before = await metrics();
    const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
    await socket.call('chat.send', { session_id: id, client_id: randomUUID(), text: 'Hello' });
    await expect(socket.call('chat.send', { session_id: 'ses_unknown' })).rejects.toBeDefined();
    const after = await metrics();
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('foyer_messages_total{sender="visitor"}')).toBeGreaterThan(0);
    expect(grown('foyer_socket_errors_total{code="invalid_input"}')).toBe(1);
    expect(grown('foyer_sockets_open{kind="visitor"}')).toBe(1);
    expect(grown('foyer_sockets_open{kind="agent"}')).toBe(0);
    socket.cut();
  });

  it('says how long due work has waited', async () => {
    const { db } = app.app.database;
    const overdue = 'foyer_overdue_seconds{work="webhooks"}';
    await db
      .updateTable('webhook_queue')
      .set({ next_attempt_at: new Date(nowMs) })
      .execute();
    nowMs += 60_000;
    const values = await metrics();
    expect(values.get(overdue)).toBe(65);
    expect(values.get('foyer_overdue_seconds{work="segments"}')).toBe(0);
    expect(values.get('foyer_report_marks')).toBeGreaterThan(0);
    expect(values.get('foyer_notify_queue_usage')).toBeLessThan(0.01);
    expect(values.get('foyer_wal_archiving_fails')).toBe(0);
    expect(values.get('foyer_job_overdue_seconds{name="mail.reply"}')).toBe(0);
  });

  it('queries the database at most once in five seconds', async () => {
    const before = await metrics();
    await openWaitingChat();
    const again = valuesOf(await (await fetch(`${app.url}/metrics`)).text());
    expect(again.get('foyer_chats_waiting')).toBe(before.get('foyer_chats_waiting'));
    expect((await metrics()).get('foyer_chats_waiting')).toBe((before.get('foyer_chats_waiting') ?? 0) + 1);
  });
});
