import { writeFile } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../../../test/app.ts';
import { until } from '../../../../test/harness.ts';
import { scratchFolder } from '../../../../test/scratch.ts';
import { SELF_SIGNED } from '../../../../test/self-signed.ts';
import { MAIL_MAX_BYTES } from '../../../mime/limits.ts';

let app: TestApp;
let site: TestSite;
let port: number;
beforeAll(async () => {
  const folder = await scratchFolder('foyer-mail-tls-');
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await Promise.all([writeFile(cert, SELF_SIGNED.cert), writeFile(key, SELF_SIGNED.key)]);
  app = await startTestApp({
    FOYER_MAIL_PORT: '0',
    FOYER_MAIL_HOST: '127.0.0.1',
    FOYER_MAIL_TLS_CERT: cert,
    FOYER_MAIL_TLS_KEY: key,
  });
  port = app.app.mailPort ?? 0;
});
beforeEach(async () => {
  site = await app.makeSite();
});
afterAll(() => app.close());

let number = 0;
async function makeMailbox(of = site, fields: object = {}): Promise<{ id: number; address: string }> {
  const address = `box${++number}@shop.example`;
  const answer = await app.rest(of.write, 'POST', '/v1/mailboxes', { address, route: 'smtp', ...fields });
  expect(answer.status).toBe(201);
  return { id: answer.body.data.id, address };
}

const query = async (text: string, values: unknown[]) =>
  (await app.app.database.pool.query(text, values)).rows;
const stored = (id: number) => query('select * from received_mails where mailbox_id = $1 order by id', [id]);

/** Sends as the sender's mail server would, with nodemailer's SMTP. @returns the recipients that were refused */
async function send(mail: SendMailOptions): Promise<{ rejected: string[]; response: string }> {
  const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } });
  try {
    const { rejected, response } = await transport.sendMail({
      from: 'Maya <maya@customer.example>',
      subject: `Mail ${++number}`,
      text: 'Where is my parcel?',
      ...mail,
    });
    return { rejected: rejected.map(String), response };
  } finally {
    transport.close();
  }
}

/** Sends lines one after another, each once the one before is answered. @returns the last line of each answer */
async function say(...lines: string[]): Promise<string[]> {
  const socket = connectSocket(port, '127.0.0.1');
  const answers: string[] = [];
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk;
    const last = /(?:^|\r\n)(\d{3} [^\r\n]*)\r\n$/.exec(text)?.[1];
    if (last === undefined) continue;
    answers.push(last);
    text = '';
    const next = lines.shift();
    if (next === undefined) break;
    socket.write(`${next}\r\n`);
  }
  socket.destroy();
  return answers;
}

it('a mail becomes a ticket, over TLS, and keeps its envelope', async () => {
  const { id, address } = await makeMailbox();
  await send({ to: address.replace('box', 'BOX'), requireTLS: true } as SendMailOptions);
  await until(async () => (await stored(id))[0]?.state === 'ticket');
  const [row] = await stored(id);
  expect(row).toMatchObject({
    route: 'smtp',
    envelope_from: 'maya@customer.example',
    envelope_to: address.replace('box', 'BOX'),
    remote_address: '127.0.0.1',
  });
  expect(row.helo).toBeTruthy();
  const ticket = await app.rest(site.read, 'GET', `/v1/tickets?id=${row.ticket_id}`);
  expect(ticket.body.data.description).toBe('Where is my parcel?');
  const mailbox = await app.rest(site.read, 'GET', `/v1/mailboxes?id=${id}`);
  expect(mailbox.body.data.checked_utc).not.toBeNull();
});

it('only the addresses of its mailboxes are accepted; it relays nothing', async () => {
  const { id, address } = await makeMailbox();
  const off = await makeMailbox(site, { enabled: false });
  const { rejected } = await send({
    to: [address, 'nobody@shop.example', off.address, 'x@elsewhere.example'],
  });
  expect(rejected.sort()).toEqual(['nobody@shop.example', off.address, 'x@elsewhere.example'].sort());
  expect(await stored(id)).toHaveLength(1);
  expect(await stored(off.id)).toEqual([]);
  await expect(send({ to: 'nobody@shop.example' })).rejects.toThrow(/550/);
});

it('a mailbox of a mail server elsewhere receives nothing here', async () => {
  const answer = await app.rest(site.write, 'POST', '/v1/mailboxes', {
    address: 'far@shop.example',
    imap: { host: '192.0.2.1', user: 'far', password: 'x' },
    enabled: false,
  });
  expect(answer.body.data.route).toBe('imap');
  await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${answer.body.data.id}`, { enabled: true });
  await expect(send({ to: 'far@shop.example' })).rejects.toThrow(/550/);
});

it('a mail to addresses of two sites reaches both, and one mailbox once', async () => {
  const other = await app.makeSite();
  const [mine, theirs] = [await makeMailbox(), await makeMailbox(other)];
  const tagged = mine.address.replace('@', '+orders@');
  await send({ to: [mine.address, tagged, theirs.address] });
  const rows = [await stored(mine.id), await stored(theirs.id)];
  expect(rows.map((each) => each.length)).toEqual([1, 1]);
  expect(rows[0]?.[0].envelope_to).toBe(`${mine.address}, ${tagged}`);
  expect(rows[1]?.[0].site_id).toBe(other.site.id);
});

it('a mail that is too large is refused, announced or not', async () => {
  const { id, address } = await makeMailbox();
  const sizes = await say('EHLO mx.example', `MAIL FROM:<a@b.example> SIZE=${MAIL_MAX_BYTES + 1}`);
  expect(sizes.at(-1)).toMatch(/^552/);
  const large = { filename: 'large.bin', content: Buffer.alloc(MAIL_MAX_BYTES, 1) };
  await expect(send({ to: address, attachments: [large] })).rejects.toThrow(/552/);
  expect(await stored(id)).toEqual([]);
});

it('the null sender of bounces is accepted', async () => {
  const { id, address } = await makeMailbox();
  const answers = await say(
    'EHLO mx.example',
    'MAIL FROM:<>',
    `RCPT TO:<${address}>`,
    'DATA',
    'From: Mailer <mailer-daemon@mx.example>\r\nSubject: Undeliverable\r\n\r\nNo.\r\n.',
  );
  expect(answers.at(-1)).toMatch(/^250/);
  expect((await stored(id))[0].envelope_from).toBe('');
});

it('a mail that cannot be stored gets a temporary error, and is stored once by the retry', async () => {
  const { id, address } = await makeMailbox();
  await query(
    'alter table received_mails add constraint full_disk check (mailbox_id <> $id) not valid'.replace(
      '$id',
      String(id),
    ),
    [],
  );
  await expect(send({ to: address, messageId: '<again@customer.example>' })).rejects.toThrow(/451/);
  expect(await stored(id)).toEqual([]);
  await query('alter table received_mails drop constraint full_disk', []);
  await send({ to: address, messageId: '<again@customer.example>' });
  expect(await stored(id)).toHaveLength(1);
});

it('nonsense, sign-ins and commands out of order are refused, and the server keeps running', async () => {
  const { address } = await makeMailbox();
  expect((await say('GET / HTTP/1.1')).at(-1)).toMatch(/^[45]/);
  const answers = await say(
    'EHLO mx.example',
    'AUTH PLAIN AGEAYg==',
    'DATA',
    `VRFY ${address}`,
    'MAIL FROM:<a@b.example>',
    `RCPT TO:<${address}\0>`,
    'RCPT TO:<">',
    'QUIT',
  );
  expect(answers.slice(1).map((line) => line[0])).not.toContain('3');
  expect(answers[2]).toMatch(/^5/);
  expect(answers[3]).toMatch(/^5/);
  expect((await send({ to: address })).rejected).toEqual([]);
});

it('a sender that guesses addresses must wait', async () => {
  const lines = Array.from({ length: 101 }, (_, at) => `RCPT TO:<guess${at}@shop.example>`);
  const answers = await say('EHLO mx.example', 'MAIL FROM:<a@b.example>', ...lines);
  expect(answers.slice(3, 10).every((line) => line.startsWith('550'))).toBe(true);
  expect(answers.at(-1)).toMatch(/^4\d\d/);
});
