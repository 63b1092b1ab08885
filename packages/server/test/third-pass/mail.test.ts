import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { until } from '../harness.ts';

// Attacks on incoming mail, planned from the documentation alone.

let app: TestApp;
let site: TestSite;
let other: TestSite;
let box: { id: number; address: string };
let number = 0;
beforeAll(async () => {
  app = await startTestApp({ FOYER_MAIL_PORT: '0', FOYER_MAIL_HOST: '127.0.0.1' });
});
beforeEach(async () => {
  [site, other] = [await app.makeSite(), await app.makeSite()];
  box = await makeMailbox(site);
});
afterAll(() => app.close());

async function makeMailbox(of: TestSite): Promise<{ id: number; address: string }> {
  const address = `third${++number}@shop.example`;
  const answer = await app.rest(of.write, 'POST', '/v1/mailboxes', { address, route: 'smtp' });
  expect(answer.status).toBe(201);
  return { id: answer.body.data.id, address };
}

const query = async (text: string, values: unknown[]) =>
  (await app.app.database.pool.query(text, values)).rows;
const storedAt = (id: number) =>
  query('select * from received_mails where mailbox_id = $1 order by id', [id]);
const tickets = async (of: TestSite): Promise<{ id: number; subject: string }[]> =>
  (await app.rest(of.read, 'GET', '/v1/tickets?limit=100')).body.data;

/** Writes bytes after the greeting and reads until the server has hung up or responds no more. */
const talk = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(app.app.mailPort ?? 0, '127.0.0.1');
    let text = '';
    socket.once('data', () => socket.write(`${bytes}QUIT\r\n`, 'latin1'));
    socket.on('data', (part) => {
      text += part.toString('latin1');
      if (/^221 /m.test(text)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
const envelope = (from: string, ...to: string[]): string =>
  `EHLO mx.example\r\nMAIL FROM:<${from}>\r\n${to.map((one) => `RCPT TO:<${one}>\r\n`).join('')}`;
const settled = async (): Promise<void> =>
  until(async () =>
    (await storedAt(box.id)).every(({ state }) => state !== 'waiting' && state !== 'received'),
  );

describe('a mail within another', () => {
  it.each([
    ['LF . LF', '\n.\n'],
    ['LF . CRLF', '\n.\r\n'],
    ['CRLF . LF', '\r\n.\n'],
    ['CR . CR', '\r.\r'],
    ['CRLF NUL . CRLF', '\r\n\0.\r\n'],
  ])('is not begun by %s', async (_what, end) => {
    const inner = `MAIL FROM:<boss@shop.example>\r\nRCPT TO:<${box.address}>\r\nDATA\r\nFrom: boss@shop.example\r\nSubject: smuggled\r\n\r\nPay.`;
    await talk(
      `${envelope('a@customer.example', box.address)}DATA\r\nFrom: a@customer.example\r\nSubject: outer\r\n\r\nHello${end}${inner}\r\n.\r\n`,
    );
    const rows = await storedAt(box.id);
    expect(rows.length).toBeLessThanOrEqual(1);
    for (const row of rows) expect(row.envelope_from).toBe('a@customer.example');
    await settled();
    expect((await tickets(site)).map(({ subject }) => subject)).not.toContain('smuggled');
  });
});

describe('the mail server', () => {
  it('relays nothing, however the recipient is written', async () => {
    const [name] = box.address.split('@');
    for (const to of [
      'someone@elsewhere.example',
      `someone%elsewhere.example@shop.example`,
      `elsewhere.example!someone@shop.example`,
      `@elsewhere.example:someone@elsewhere.example`,
      `"${box.address}"@elsewhere.example`,
      `${box.address}@elsewhere.example`,
      `${name}@shop.example.elsewhere.example`,
      `${name}\0@shop.example`,
      `postmaster`,
      '',
    ]) {
      const answer = await talk(envelope('a@customer.example', to));
      expect([to, /^250[ -].*accepted|^250 OK$/im.test(answer.split('\r\n').slice(-3)[0] ?? '')]).toEqual([
        to,
        false,
      ]);
      expect(answer).toMatch(/^5\d\d /m);
    }
  });

  it('signs nobody in and doesn’t reveal which mailboxes exist', async () => {
    const answer = await talk(
      `EHLO x.example\r\nVRFY ${box.address}\r\nEXPN ${box.address}\r\nAUTH PLAIN AGFkbWluAGFkbWlu\r\nAUTH LOGIN\r\nXCLIENT ADDR=127.0.0.1\r\nXFORWARD ADDR=127.0.0.1\r\nPROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nDEBUG\r\nWIZ\r\n`,
    );
    expect(answer).not.toMatch(/^235|^334|^220 .*XCLIENT/m);
    expect(answer).not.toMatch(/AUTH/);
    expect(answer).not.toContain(box.address);
  });

  it('ends a command without an end, and accepts mail afterwards', async () => {
    const before = process.memoryUsage().rss;
    await talk(`EHLO ${'x'.repeat(20_000_000)}`);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
    await talk(`${envelope('a@customer.example', box.address)}DATA\r\nSubject: after\r\n\r\nHello\r\n.\r\n`);
    expect(await storedAt(box.id)).toHaveLength(1);
  });

  it('stores a mail to a thousand recipients at most once per mailbox', async () => {
    const [name] = box.address.split('@');
    const to = Array.from({ length: 1000 }, (_, n) => `${name}+${n}@shop.example`);
    const answer = await talk(
      `${envelope('a@customer.example', ...to)}DATA\r\nFrom: a@customer.example\r\nSubject: many\r\n\r\nHello\r\n.\r\n`,
    );
    expect(answer).toMatch(/^221 /m);
    expect((await storedAt(box.id)).length).toBeLessThanOrEqual(1);
  });
});

const deliver = async (to: string, from: string, headers: string, body = 'Hello'): Promise<void> => {
  await talk(`${envelope(from, to)}DATA\r\n${headers}\r\n\r\n${body}\r\n.\r\n`);
  await settled();
};

describe('a mail that claims to belong to', () => {
  it('another site’s conversation opens a ticket of its own', async () => {
    const theirs = await makeMailbox(other);
    await talk(
      `${envelope('v@customer.example', theirs.address)}DATA\r\nFrom: v@customer.example\r\nMessage-ID: <first@customer.example>\r\nSubject: Theirs\r\n\r\nHello\r\n.\r\n`,
    );
    await until(async () => (await tickets(other)).length === 1);
    await deliver(
      box.address,
      'v@customer.example',
      'From: v@customer.example\r\nIn-Reply-To: <first@customer.example>\r\nReferences: <first@customer.example>\r\nSubject: Re: Theirs',
    );
    expect(await tickets(site)).toHaveLength(1);
    const [ticket] = await tickets(other);
    const { body } = await app.rest(other.read, 'GET', `/v1/ticket_messages?ticket_id=${ticket?.id}`);
    expect((body.data ?? []).length).toBeLessThanOrEqual(1);
  });

  it('a ticket whose reply address is guessed or changed opens one of its own', async () => {
    await deliver(box.address, 'v@customer.example', 'From: v@customer.example\r\nSubject: First');
    const [first] = await tickets(site);
    const [name] = box.address.split('@');
    for (const tag of [
      `${first?.id}`,
      `t${first?.id}`,
      `t${first?.id}-${'a'.repeat(16)}`,
      `t${first?.id}.${'a'.repeat(26)}`,
      `ticket-${first?.id}`,
    ])
      await deliver(
        `${name}+${tag}@shop.example`,
        'm@evil.example',
        `From: m@evil.example\r\nSubject: forged ${tag}`,
      );
    const all = await tickets(site);
    expect(all.length).toBe(6);
  });
});

describe('a sender who looks like an agent', () => {
  it.each([
    ['two From lines', (a: string) => `From: ${a}\r\nFrom: m@evil.example`],
    ['two addresses', (a: string) => `From: m@evil.example, ${a}`],
    ['a name that is an address', (a: string) => `From: "${a}" <m@evil.example>`],
    ['an encoded address', (a: string) => `From: =?utf-8?q?${a.replace('@', '=40')}?= <m@evil.example>`],
    ['the address alone', (a: string) => `From: ${a}`],
    ['Sender', (a: string) => `From: m@evil.example\r\nSender: ${a}`],
    [
      'a result of our own check',
      (a: string) =>
        `Authentication-Results: shop.example; dkim=pass; spf=pass; dmarc=pass header.from=example.com\r\nARC-Authentication-Results: i=1; x; dmarc=pass\r\nReceived-SPF: pass\r\nFrom: ${a}`,
    ],
  ])('with %s does not write as one', async (_what, from) => {
    await deliver(box.address, 'm@evil.example', `${from(site.admin.email)}\r\nSubject: As agent`);
    const rows = await storedAt(box.id);
    expect(rows).toHaveLength(1);
    const { body } = await app.rest(site.read, 'GET', '/v1/tickets?limit=1');
    const [ticket] = body.data;
    if (!ticket) return;
    const messages = await app.rest(site.read, 'GET', `/v1/ticket_messages?ticket_id=${ticket.id}`);
    expect(JSON.stringify(messages.body)).not.toMatch(/"author_type":"agent"|"sender":"agent"/);
  });
});

const FROM = 'From: a@customer.example\r\n';

describe('a mail that is made to cost', () => {
  const parts: [string, () => string][] = [
    ['200,000 header lines', () => `${'X-A: b\r\n'.repeat(200_000)}Subject: h\r\n\r\nx`],
    ['one header of 8 MB', () => `X-A: ${'b'.repeat(8_000_000)}\r\nSubject: h\r\n\r\nx`],
    ['an address list of 2 MB', () => `To: ${'a@b.example, '.repeat(150_000)}\r\n\r\nx`],
    [
      '20,000 comments in an address',
      () => `Reply-To: ${'('.repeat(20_000)}a@customer.example\r\nSubject: h\r\n\r\nx`,
    ],
    ['encoded words of 2 MB', () => `Subject: ${'=?utf-8?q?=41?= '.repeat(120_000)}\r\n\r\nx`],
    ['References of 2 MB', () => `References: ${'<a@b> '.repeat(300_000)}\r\nSubject: h\r\n\r\nx`],
    [
      'a message in a message, 500 deep',
      () => `${'Content-Type: message/rfc822\r\n\r\n'.repeat(500)}Subject: in\r\n\r\nx`,
    ],
    [
      'boundaries that begin alike',
      () =>
        `Content-Type: multipart/mixed; boundary="a"\r\n\r\n${Array.from({ length: 60 }, (_, n) => `--${'a'.repeat(n + 1)}\r\nContent-Type: multipart/mixed; boundary="${'a'.repeat(n + 2)}"\r\n\r\n`).join('')}x`,
    ],
    [
      'HTML of 900 KB without an end',
      () => `Content-Type: text/html\r\n\r\n${'<div style="a:b"><table><tr><td>'.repeat(30_000)}`,
    ],
    [
      'quoted-printable of 3 MB',
      () => `Content-Transfer-Encoding: quoted-printable\r\n\r\n${'=41=\r\n'.repeat(500_000)}`,
    ],
    ['lines of > of 2 MB', () => `Subject: q\r\n\r\n${'>'.repeat(2_000_000)}`],
  ];
  it.each(parts)(
    'by %s is over soon, and the next one is a ticket',
    async (_what, make) => {
      await talk(`${envelope('a@customer.example', box.address)}DATA\r\n${FROM}${make()}\r\n.\r\n`);
      await settled();
      await deliver(box.address, 'b@customer.example', 'From: b@customer.example\r\nSubject: after it');
      expect((await tickets(site)).map(({ subject }) => subject)).toContain('after it');
    },
    120_000,
  );
});
