import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { until } from '../../../test/harness.ts';
import { mail } from '../../../test/mails/mail-desk.ts';
import { storeReceived } from '../inbound/store.ts';

let app: TestApp;
let shop: TestSite;
let mailboxId: number;

beforeAll(async () => {
  app = await startTestApp();
  shop = await app.makeSite();
  mailboxId = await addMailbox();
});
afterAll(() => app.close());

async function addMailbox(): Promise<number> {
  const { db } = shop.operator;
  const row = await db
    .insertInto('mailboxes')
    .values({
      site_id: shop.site.id,
      address: `help${shop.site.id}@shop.example`,
      incoming: 'smtp',
      created_at: new Date(),
      updated_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const get = async (query: string): Promise<Json> =>
  (await app.rest(shop.read, 'GET', `/v1/received_mails?${query}`)).body.data;

const decide = (id: number, action: string) =>
  app.rest(shop.write, 'POST', '/v1/received_mails', { id, action });

/** Waits until the mail's job is done. */
async function settled(id: number): Promise<Json> {
  let row: Json;
  await until(async () => {
    row = await get(`id=${id}`);
    return row.outcome !== 'waiting';
  });
  return row;
}

async function receive(headers: Record<string, string | undefined>, body?: string): Promise<Json> {
  const id = await storeReceived(shop.operator, {
    mailboxId,
    route: 'smtp',
    source: null,
    raw: Buffer.from(mail(headers, body)),
    envelopeFrom: 'sender@mx.example',
  });
  return settled(id as number);
}

const from = (address: string) => ({ From: address });
const SPAM = { 'X-Spam-Flag': 'YES' };

it('shows a mail’s text, with its headers and its outcome', async () => {
  const one = await receive({ From: 'Ann <ann@a.example>', 'X-Thing': 'seen' }, 'Hello <b>you</b>');
  expect(one).toMatchObject({
    outcome: 'ticket',
    from: { name: 'Ann', address: 'ann@a.example' },
    ticket_id: expect.any(Number),
    has_source: true,
    attempts: 1,
    content: { text: expect.stringContaining('Hello <b>you</b>') },
  });
  expect(one.content.headers).toContainEqual({ name: 'x-thing', value: 'seen' });
});

it.each([
  ['spam', SPAM],
  ['bulk', { 'List-Unsubscribe': '<https://n.example>' }],
  ['automatic', { 'Auto-Submitted': 'auto-generated' }],
])('a mail suspended as %s becomes one ticket when two people accept it', async (reason, headers) => {
  const waiting = await receive({ ...from(`${reason}@b.example`), ...headers });
  expect(waiting).toMatchObject({ outcome: 'suspended', reason, ticket_id: null });
  const answers = await Promise.all([decide(waiting.id, 'accept'), decide(waiting.id, 'accept')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await settled(waiting.id)).toMatchObject({ outcome: 'ticket', suspended_for: reason });
  expect((await decide(waiting.id, 'process_again')).status).toBe(409);
});

it('a flood and a loop are suspended, and their accepted mails become tickets and replies', async () => {
  const flooding = from('flood@c.example');
  const first = await receive({ ...flooding, 'Message-ID': '<first@c.example>' }, 'first');
  const rounds: Json[] = [];
  for (let n = 0; n < 7; n++)
    rounds.push(await receive({ ...flooding, References: '<first@c.example>' }, `round ${n}`));
  const loop = rounds.at(-1);
  expect(loop).toMatchObject({ outcome: 'suspended', reason: 'loop', ticket_id: first.ticket_id });
  expect(await get('reason=loop')).toContainEqual(expect.objectContaining({ id: loop.id }));
  await decide(loop.id, 'accept');
  expect(await settled(loop.id)).toMatchObject({ outcome: 'reply', ticket_id: first.ticket_id });
  for (let n = 0; n < 24; n++) await receive(flooding, `more ${n}`);
  const flood = (await get('address=flood@c.example&outcome=suspended&reason=flood'))[0];
  await decide(flood.id, 'accept');
  expect(await settled(flood.id)).toMatchObject({ outcome: 'ticket', suspended_for: 'flood' });
});

it('blocking rejects later mails of the sender, until it is undone; accepting one makes an exception', async () => {
  const spam = await receive({ ...from('Bad@d.example'), ...SPAM });
  expect((await decide(spam.id, 'block_address')).body.data).toMatchObject({
    outcome: 'rejected',
    reason: 'blocked_sender',
    suspended_for: 'spam',
  });
  const later = await receive(from('bad@D.example'), 'Again');
  expect(later).toMatchObject({ outcome: 'rejected', reason: 'blocked_sender' });
  expect(await receive(from('good@d.example'), 'Hi')).toMatchObject({ outcome: 'ticket' });
  await decide(later.id, 'process_again');
  expect(await settled(later.id)).toMatchObject({ outcome: 'rejected', reason: 'blocked_sender' });
  await decide(later.id, 'accept');
  expect(await settled(later.id)).toMatchObject({ outcome: 'ticket' });
  expect((await decide(spam.id, 'undo_block')).body.data).toMatchObject({
    outcome: 'suspended',
    reason: 'spam',
  });
  expect(await receive(from('bad@d.example'), 'Third')).toMatchObject({ outcome: 'ticket' });
});

it('undoing a block keeps other blocks: of its domain, and of an address that was blocked before', async () => {
  const mails = [];
  for (const sender of ['one@h.example', 'two@h.example'])
    mails.push(await receive({ ...from(sender), ...SPAM }));
  const block = (sender: string) => app.rest(shop.write, 'POST', '/v1/blocked_senders', { sender });
  await block('two@h.example');
  for (const { id } of mails) await decide(id, 'block_address');
  await block('h.example');
  for (const { id } of mails) await decide(id, 'undo_block');
  const { data } = (await app.rest(shop.read, 'GET', '/v1/blocked_senders')).body;
  const senders = data.map(({ sender }: { sender: string }) => sender);
  expect(senders.filter((sender: string) => sender.endsWith('h.example')).sort()).toEqual([
    'h.example',
    'two@h.example',
  ]);
});

it('a domain is blocked with all its addresses, and unblocked', async () => {
  const blocked = await app.rest(shop.write, 'POST', '/v1/blocked_senders', { sender: 'E.example' });
  expect(blocked.body.data).toMatchObject({ sender: 'e.example' });
  const again = await app.rest(shop.write, 'POST', '/v1/blocked_senders', { sender: 'e.example' });
  expect(again.body.data.id).toBe(blocked.body.data.id);
  expect(await receive(from('any@e.example'))).toMatchObject({
    outcome: 'rejected',
    reason: 'blocked_sender',
  });
  expect(await receive(from('any@mx.e.example'))).toMatchObject({ outcome: 'rejected' });
  expect(await receive(from('any@le.example'))).toMatchObject({ outcome: 'ticket' });
  await app.rest(shop.write, 'DELETE', `/v1/blocked_senders?id=${blocked.body.data.id}`);
  expect(await receive(from('any@e.example'), 'x')).toMatchObject({ outcome: 'ticket' });
  expect((await app.rest(shop.write, 'POST', '/v1/blocked_senders', { sender: 'no domain' })).status).toBe(
    400,
  );
});

it('a failed mail is processed again, only once for two requests; one without its source is not', async () => {
  const id = (await receive(from('f@f.example'), 'Fail')).id;
  const fail = (raw: Buffer | null) =>
    shop.operator.db
      .updateTable('received_mails')
      .set({ state: 'failed', reason: 'error', ticket_id: null, ...(raw ? {} : { raw }) })
      .where('site_id', '=', shop.site.id)
      .where('id', '=', id)
      .execute();
  await fail(Buffer.from('kept'));
  const answers = await Promise.all([decide(id, 'process_again'), decide(id, 'process_again')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await settled(id)).toMatchObject({ outcome: 'ticket' });
  await fail(null);
  const gone = await decide(id, 'process_again');
  expect([gone.status, gone.body.error.message]).toEqual([409, 'The raw message is no longer stored.']);
});

it('decides about several at once, and skips those that are decided', async () => {
  const [one, two] = [
    await receive({ ...from('g@g.example'), ...SPAM }, '1'),
    await receive({ ...from('g@g.example'), ...SPAM }, '2'),
  ];
  await decide(one.id, 'accept');
  await settled(one.id);
  const cookie = await app.signIn(shop.admin.email);
  const { body } = await app.desk(cookie, 'received_mails.decide_all', {
    ids: [one.id, two.id],
    action: 'block_domain',
  });
  expect(body.data).toMatchObject({
    decided: [{ id: two.id }],
    skipped: [{ id: one.id, outcome: 'ticket' }],
  });
  const { data } = (await app.desk(cookie, 'blocked_senders.list', {})).body;
  expect(data).toContainEqual(
    expect.objectContaining({ sender: 'g.example', agent: { id: shop.admin.agentId, name: 'Ada' } }),
  );
  const entries = (await app.desk(cookie, 'audit.list', { subject: 'received_mail' })).body.data;
  expect(entries[0]).toMatchObject({ action: 'received_mails.block_domain', subject_id: two.id });
});

it('admins download the raw message as a file, for a limited time', async () => {
  const { id } = await receive(
    { ...from('h@h.example'), 'Content-Type': 'text/html' },
    '<script>alert(1)</script>',
  );
  const cookie = await app.signIn(shop.admin.email);
  const { url } = (await app.desk(cookie, 'received_mails.source', { id })).body.data;
  const path = new URL(url).pathname + new URL(url).search;
  const file = await fetch(app.url + path);
  expect(file.headers.get('content-type')).toBe('application/octet-stream');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(await file.text()).toContain('<script>');
  expect((await fetch(app.url + path.replace(/expires=\d/, 'expires=9'))).status).toBe(404);
});

it('finds mails by mailbox, subject and time, over several pages', async () => {
  for (const n of [1, 2, 3]) await receive({ ...from('i@i.example'), Subject: `Needle ${n}` }, `${n}`);
  const until = encodeURIComponent(new Date(Date.now() + 60_000).toISOString());
  const query = `mailbox_id=${mailboxId}&q=needle&since=2020-01-01&until=${until}&limit=2`;
  const { body } = await app.rest(shop.read, 'GET', `/v1/received_mails?${query}`);
  expect(body.data.map(({ subject }: Json) => subject)).toEqual(['Needle 3', 'Needle 2']);
  const next = await app.rest(
    shop.read,
    'GET',
    `/v1/received_mails?${query}&cursor=${body.page.next_cursor}`,
  );
  expect(next.body.data.map(({ subject }: Json) => subject)).toEqual(['Needle 1']);
  expect(await get('q=needle&until=2020-01-01')).toEqual([]);
  const other = await app.makeSite();
  for (const resource of ['received_mails', 'sent_mails'])
    expect((await app.rest(other.read, 'GET', `/v1/${resource}?id=${body.data[0].id}`)).status).toBe(404);
});
