import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../harness.ts';
import { type Mailbox, startMailbox } from '../mailbox.ts';
import { mail } from '../mails/mail-desk.ts';
import { makeStand, type Stand } from '../stand.ts';

// The server is killed while it processes an email, and restarted on the same data folder.

let stand: Stand;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  stand = await makeStand({ SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' });
});
afterAll(async () => {
  await stand.strike();
  await mailbox.close();
});

async function killAndStart(): Promise<void> {
  await stand.foyer.end('SIGKILL');
  await stand.foyer.start();
}

const one = async (resource: string, id: number) =>
  (await stand.rest('GET', `/v1/${resource}?id=${id}`)).body.data;

/** An email that is stored but not processed. */
async function storeMail(): Promise<number> {
  const raw = Buffer.from(mail({ From: 'Ann <ann@killed.example>' }));
  const { rows } = await sql<{ id: number }>`
    with box as (
      insert into mailboxes (site_id, address, incoming, created_at, updated_at)
      values (${stand.operator.site.id}, 'help@killed.example', 'smtp', now(), now()) returning site_id, id)
    insert into received_mails (site_id, mailbox_id, route, received_at, size, raw, state)
    select site_id, id, 'smtp', now(), ${raw.length}, ${raw}, 'failed' from box returning id`.execute(
    stand.database.db,
  );
  return rows[0]?.id as number;
}

it('an email that was being processed becomes one ticket after the restart', async () => {
  const id = await storeMail();
  await stand.database.db.transaction().execute(async (holding) => {
    // The ticket is written by then, and nothing is committed.
    await sql`lock table ticket_mails in share mode`.execute(holding);
    expect((await stand.rest('POST', '/v1/received_mails', { id, action: 'process_again' })).status).toBe(
      200,
    );
    await until(async () => {
      const waiting = sql`select from pg_locks where relation = 'ticket_mails'::regclass and not granted`;
      return (await waiting.execute(holding)).rows.length > 0;
    });
    await stand.foyer.end('SIGKILL');
  });
  await stand.foyer.start();
  await until(async () => (await one('received_mails', id)).outcome !== 'waiting');
  const { outcome, ticket_id } = await one('received_mails', id);
  const tickets = (await stand.rest('GET', '/v1/tickets')).body.data;
  expect([outcome, tickets.map((ticket: { id: number }) => ticket.id)]).toEqual(['ticket', [ticket_id]]);
});

/** A chat whose visitor left an address twenty minutes ago, and has not read the team's reply. */
async function leaveChat(address: string): Promise<void> {
  const { id } = stand.operator.site;
  await sql`
    with visitor as (
      insert into visitors (site_id, key) values (${id}, 'anon_killed') returning id),
    chat as (
      insert into conversations (site_id, session_id, visitor_id, start_client_id, status, contact_email, last_seq)
      select ${id}, 'ses_aaaaaaaaaaaaaaaaaaaaaa', id, gen_random_uuid(), 'waiting', ${address}, 1 from visitor returning id),
    said as (
      insert into messages (site_id, conversation_id, seq, client_id, sender, author_name, text, created_at)
      select ${id}, id, 1, gen_random_uuid(), 'agent', 'Ada', 'Yes, three.', now() - interval '20 minutes' from chat)
    insert into unread_replies (site_id, conversation_id, due_at) select ${id}, id, now() from chat`.execute(
    stand.database.db,
  );
}

const chatMail = async () =>
  (
    await sql<{ state: string; message_id: string }>`select state, message_id from chat_mails`.execute(
      stand.database.db,
    )
  ).rows;

it('a reply and unread chat replies that a mail server may have accepted are sent after the restart, under the same Message-IDs', async () => {
  const requester = { email: 'maya@killed.example', name: 'Maya' };
  const asked = { subject: 'The lamp', body: 'It broke.', requester };
  const ticket_id = (await stand.rest('POST', '/v1/tickets', asked)).body.data.id;
  mailbox.leaveWaiting(requester.email);
  const reply = { ticket_id, type: 'public', body: 'We send a new one.' };
  const { id } = (await stand.rest('POST', '/v1/ticket_reply', reply)).body.data;
  await leaveChat(requester.email);
  await until(async () => mailbox.received.length === 2);
  mailbox.leaveWaiting(undefined);
  await killAndStart();
  await until(async () => (await one('sent_mails', id)).state === 'sent');
  await until(async () => (await chatMail())[0]?.state === 'sent');
  const [unread, ...others] = await chatMail();
  expect(others).toEqual([]);
  const { attempts, message_id } = await one('sent_mails', id);
  expect(attempts).toMatchObject([{ outcome: 'sent' }]);
  expect(new Set(mailbox.received.map(({ headers }) => headers['message-id']))).toEqual(
    new Set([`<${message_id}>`, `<${unread?.message_id}>`]),
  );
});
