import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  foyerJson,
  type Installation,
  newInstallation,
  PROCESSES_TIMEOUT_MS,
  type RunningServer,
  until,
} from '../../test/fixtures/foyer.ts';
import { type TestDatabase, testDatabase } from '../../test/harness.ts';
import { type Mailbox, shown, startMailbox } from '../../test/mailbox.ts';
import { answerWith, type Receiver, startReceiver } from '../../test/receiver.ts';

vi.setConfig({ testTimeout: PROCESSES_TIMEOUT_MS, hookTimeout: PROCESSES_TIMEOUT_MS });

const SECRET = 'the secret of the operator, 32 and more';
const MAIL_JOBS = `select id, state::text, start_after from foyer_jobs.job where name = 'mail.reply'`;

let place: Installation;
let mailbox: Mailbox;
let receiver: Receiver;
const databases: TestDatabase[] = [];

beforeEach(async () => {
  place = await newInstallation();
  mailbox = await startMailbox();
  receiver = await startReceiver(answerWith(200, 'ok'));
});

afterEach(async () => {
  await place.clear();
  await mailbox.close();
  await receiver.close();
  for (const database of databases.splice(0)) await database.close();
});

async function newDatabase(): Promise<Record<string, string>> {
  const database = await testDatabase();
  databases.push(database);
  return {
    DATABASE_URL: database.url,
    FOYER_SECRET: SECRET,
    FOYER_DATA_DIR: place.file('data'),
    SMTP_URL: mailbox.url,
    FOYER_MAIL_FROM: 'help@shop.example',
    FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
  };
}

async function query<T extends pg.QueryResultRow>(settings: Record<string, string>, statement: string) {
  const client = new pg.Client({ connectionString: settings.DATABASE_URL });
  await client.connect();
  return (await client.query<T>(statement).finally(() => client.end())).rows;
}

/** Calls a server as a program with one token. */
const speak =
  (token: string) =>
  async (server: RunningServer, path: string, body: object): Promise<{ id: number }> => {
    const response = await fetch(`${server.url}/v1/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { ok: boolean; data: { id: number } };
    expect(answer).toMatchObject({ ok: true });
    return answer.data;
  };

/** The replies that the requester has received, as often as they came. */
const gotten = (): string[] =>
  mailbox.received.flatMap((mail) => /(?<=Reply )\w+/.exec(shown(mail))?.[0] ?? []).sort();

test('a backup contains waiting jobs: a restore runs them once, and a copy without jobs never', async () => {
  const from = await newDatabase();
  const { id } = await foyerJson<{ id: number }>(['site', 'create', '--name', 'Shop'], from);
  const args = ['token', 'create', '--site', String(id), '--name', 'CRM', '--scopes', 'read,write'];
  const { token } = await foyerJson<{ token: string }>(args, from);
  const post = speak(token);

  let server = await place.serve('start', from);
  await post(server, 'webhook_subscriptions', { url: receiver.url, events: ['ticket_replied'] });
  const ticket = await post(server, 'tickets', {
    subject: 'The lamp',
    body: 'It broke.',
    requester: { email: 'ann@shop.example', name: 'Ann' },
  });
  const reply = (text: string) =>
    post(server, 'ticket_reply', { ticket_id: ticket.id, type: 'public', body: `Reply ${text}` });
  await reply('done');
  await until('the first mail', async () => gotten().join() === 'done');
  await until('its end', async () =>
    (await query(from, MAIL_JOBS)).every(({ state }) => state === 'completed'),
  );
  await until('its webhook', async () => receiver.requests.length === 1);
  await server.end('SIGTERM');

  // From here on, no process runs queued jobs.
  server = await place.serve('start', { ...from, FOYER_ROLE: 'web' });
  for (const text of ['waiting', 'running', 'retried']) await reply(text);
  const [waiting, running, retried] = await query<{ id: string }>(
    from,
    `${MAIL_JOBS} and state = 'created' order by created_on`,
  );
  // Older than the time after which the queue discards a job that no process has run.
  await query(
    from,
    `update foyer_jobs.job set start_after = now() - interval '90 days' where id = '${waiting?.id}'`,
  );
  await query(
    from,
    `update foyer_jobs.job set state = 'active', started_on = now(), heartbeat_on = now() where id = '${running?.id}'`,
  );
  await query(
    from,
    `update foyer_jobs.job set state = 'retry', retry_count = 5, start_after = now() + interval '1 hour' where id = '${retried?.id}'`,
  );
  const file = place.file('b.gz');
  expect(await foyerJson(['backup', file], from)).toMatchObject({ jobs: 3 });
  expect(gunzipSync(await readFile(file)).toString('utf8')).not.toContain(SECRET);
  await server.end('SIGTERM');

  const to = await newDatabase();
  expect(await foyerJson(['restore', file], to)).toMatchObject({ jobs: 3 });
  const due = await query<{ id: string; state: string; hours: number }>(
    to,
    `select id, state::text, round(extract(epoch from start_after - now()) / 3600)::int as hours from foyer_jobs.job`,
  );
  expect(due.map(({ id }) => id).sort()).toEqual([waiting?.id, running?.id, retried?.id].sort());
  expect(due.map(({ state }) => state)).toEqual(['created', 'created', 'created']);
  expect(due.find(({ id }) => id === retried?.id)?.hours).toBe(1);
  server = await place.serve('start', to);
  await reply('later');
  await until('the mails', async () => gotten().includes('later') && gotten().length >= 4);
  await until('the webhooks', async () => receiver.requests.length === 5);
  expect(gotten()).toEqual(['done', 'later', 'running', 'waiting']);
  await server.end('SIGTERM');

  const copy = await newDatabase();
  await (await place.serve('start', { ...copy, FOYER_ROLE: 'web' })).end('SIGTERM');
  // Left over from sites that this database had: it would find a reply with the same id.
  await query(
    copy,
    `insert into foyer_jobs.job (name, data) values ('mail.reply', '{"site_id": ${id}, "reply_id": 1}')`,
  );
  expect(await foyerJson(['restore', file, '--without-jobs'], copy)).toMatchObject({ jobs: 0 });
  server = await place.serve('start', copy);
  await reply('copied');
  await until('the mail of the copy', async () => gotten().includes('copied'));
  await until('its webhook', async () => receiver.requests.length === 6);
  expect(gotten()).toEqual(['copied', 'done', 'later', 'running', 'waiting']);
  expect(
    await query(copy, 'select count(*)::int as dead from webhook_deliveries where dead_at is not null'),
  ).toEqual([{ dead: 3 }]);
});
