import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../../../test/app.ts';
import { until } from '../../../../test/harness.ts';
import { SELF_SIGNED } from '../../../../test/self-signed.ts';
import { createSns } from './sns.ts';

let app: TestApp;
let site: TestSite;
const asked: string[] = [];
beforeAll(async () => {
  // Amazon's hosts can't be reached from everywhere; everything else of SNS is real.
  const amazon: typeof fetch = async (url) => {
    asked.push(String(url));
    return new Response(SELF_SIGNED.cert);
  };
  app = await startTestApp({}, { sns: createSns(amazon) });
});
beforeEach(async () => {
  site = await app.makeSite();
  asked.length = 0;
});
afterAll(() => app.close());

let number = 0;
interface Box {
  id: number;
  address: string;
  path: string;
}
async function makeMailbox(http: object = {}): Promise<Box> {
  const address = `web${++number}@shop.example`;
  const made = await app.rest(site.write, 'POST', '/v1/mailboxes', { address, route: 'http', http });
  expect(made.status).toBe(201);
  const { id, http: shown } = made.body.data;
  return { id, address, path: new URL(shown.url).pathname };
}

const post = (path: string, body: string | Buffer | FormData, headers: Record<string, string> = {}) =>
  fetch(app.url + path, {
    method: 'POST',
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
    headers,
  });
const messageOf = async (answer: Response): Promise<string> => {
  const { error } = (await answer.json()) as { error: { message: string } };
  return error.message;
};
const query = async (text: string, values: unknown[]) =>
  (await app.app.database.pool.query(text, values)).rows;
const stored = ({ id }: Box) => query('select * from received_mails where mailbox_id = $1 order by id', [id]);
const problemOf = async ({ id }: Box) =>
  (await query('select problem from mailboxes where id = $1', [id]))[0].problem;

/** In Latin-1, so that a format that changed a byte would show. */
const mail = (id = ++number): Buffer =>
  Buffer.from(
    `From: Maya <maya@customer.example>\r\nTo: help@shop.example\r\nMessage-ID: <${id}@customer.example>\r\nSubject: Caf\u00e9\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\nCaf\u00e9 & 100% = fine + more\r\n`,
    'latin1',
  );
const RFC822 = { 'content-type': 'message/rfc822' };

it('a message that is posted as it is becomes a ticket', async () => {
  const box = await makeMailbox();
  const answer = await post(`${box.path}?from=maya@customer.example&to=${box.address}`, mail(), RFC822);
  expect([answer.status, await answer.json()]).toEqual([200, { stored: true }]);
  await until(async () => (await stored(box))[0]?.state === 'ticket');
  const [row] = await stored(box);
  expect(row).toMatchObject({
    route: 'http',
    envelope_from: 'maya@customer.example',
    envelope_to: box.address,
  });
  const ticket = await app.rest(site.read, 'GET', `/v1/tickets?id=${row.ticket_id}`);
  expect(ticket.body.data.description).toBe('Café & 100% = fine + more');
});

it('the URL is shown once, is stored as a hash, and is invalid once there is a new one', async () => {
  const box = await makeMailbox();
  const token = box.path.split('/').at(-1) ?? '';
  expect(token).toHaveLength(43);
  const shown = await app.rest(site.read, 'GET', `/v1/mailboxes?id=${box.id}`);
  expect(shown.body.data.http).toEqual({ has_secret: false, url: null });
  const [row] = await query('select * from mailboxes where id = $1', [box.id]);
  expect(JSON.stringify(row)).not.toContain(token);
  const change = { http: { new_url: true } };
  const changed = await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${box.id}`, change);
  expect((await post(box.path, mail(), RFC822)).status).toBe(404);
  const next = new URL(changed.body.data.http.url).pathname;
  expect((await post(next, mail(), RFC822)).status).toBe(200);
});

it('a wrong URL, a paused mailbox and an unknown kind of body get a clear answer', async () => {
  const box = await makeMailbox();
  expect((await post(`/inbound/email/${'x'.repeat(43)}`, mail(), RFC822)).status).toBe(404);
  expect((await post('/inbound/email/short', mail(), RFC822)).status).toBe(404);
  expect((await post(box.path, '<xml/>', { 'content-type': 'text/xml' })).status).toBe(415);
  expect((await post(box.path, '{', { 'content-type': 'application/json' })).status).toBe(400);
  expect((await post(box.path, 'x', { 'content-type': 'multipart/form-data' })).status).toBe(400);
  await app.rest(site.write, 'PATCH', `/v1/mailboxes?id=${box.id}`, { enabled: false });
  expect((await post(box.path, mail(), RFC822)).status).toBe(404);
  expect(await stored(box)).toEqual([]);
});

it('Postmark: the raw message in JSON, stored once however often it is posted', async () => {
  const box = await makeMailbox();
  const json = { 'content-type': 'application/json; charset=utf-8' };
  const body = { MessageID: 'p-1', OriginalRecipient: box.address, TextBody: 'Hello' };
  const without = await post(box.path, JSON.stringify(body), json);
  expect([without.status, await messageOf(without)]).toEqual([
    400,
    'The original message is missing. Select “Include raw email content in JSON payload” for the inbound webhook in Postmark.',
  ]);
  expect(await problemOf(box)).toContain('Include raw email content');
  const whole = JSON.stringify({ ...body, RawEmail: 'From: a@b.example\r\nSubject: Hi\r\n\r\nHello\r\n' });
  for (let time = 0; time < 2; time++) expect((await post(box.path, whole, json)).status).toBe(200);
  expect(await stored(box)).toMatchObject([{ source: 'p-1', envelope_to: box.address }]);
  expect(await problemOf(box)).toBeNull();
});

it.each(['form', 'multipart'])('Mailgun: a signed %s with the original message', async (kind) => {
  const box = await makeMailbox({ secret: 'signing key' });
  const raw = mail();
  const [timestamp, token] = ['1761900000', `token-${number}`];
  const send = (signature: string, parts: Record<string, string | Buffer>) => {
    const all = {
      timestamp,
      token,
      signature,
      recipient: box.address,
      sender: 'maya@customer.example',
      ...parts,
    };
    if (kind === 'form') {
      const encode = (value: string | Buffer) =>
        Buffer.from(value)
          .toString('latin1')
          .replace(/[^A-Za-z0-9]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
      const body = Object.entries(all).map(([name, value]) => `${encode(name)}=${encode(value)}`);
      return post(`${box.path}/mime`, body.join('&'), {
        'content-type': 'application/x-www-form-urlencoded',
      });
    }
    const lines = Object.entries(all).flatMap(([name, value]) => [
      Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]);
    const body = Buffer.concat([...lines, Buffer.from('--b--\r\n')]);
    return post(`${box.path}/mime`, body, { 'content-type': 'multipart/form-data; boundary=b' });
  };
  const good = createHmac('sha256', 'signing key')
    .update(timestamp + token)
    .digest('hex');
  expect((await send(good.replace(/./g, '0'), { 'body-mime': raw })).status).toBe(401);
  expect((await send('', { 'body-mime': raw })).status).toBe(401);
  const parsed = await send(good, { 'body-plain': 'Hello' });
  expect([parsed.status, await messageOf(parsed)]).toEqual([
    400,
    'The original message is missing. End the URL of the route in Mailgun with /mime.',
  ]);
  expect((await send(good, { 'body-mime': raw })).status).toBe(200);
  const rows = await stored(box);
  expect(rows).toHaveLength(1);
  expect(rows[0].raw.equals(raw)).toBe(true);
});

it('SendGrid: the raw message in a form, with a signature if it has a key', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const box = await makeMailbox({ secret: key });
  const body = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="email"\r\n\r\n'),
    mail(),
    Buffer.from(
      `\r\n--b\r\nContent-Disposition: form-data; name="envelope"\r\n\r\n{"to":["${box.address}"],"from":"maya@customer.example"}\r\n--b\r\nContent-Disposition: form-data; name="sender_ip"\r\n\r\n192.0.2.7\r\n--b--\r\n`,
    ),
  ]);
  const form = { 'content-type': 'multipart/form-data; boundary=b' };
  expect((await post(box.path, body, form)).status).toBe(401);
  const signature = sign('sha256', Buffer.concat([Buffer.from('17'), body]), privateKey).toString('base64');
  const signed = {
    ...form,
    'x-twilio-email-event-webhook-timestamp': '17',
    'x-twilio-email-event-webhook-signature': signature,
  };
  expect((await post(box.path, body, signed)).status).toBe(200);
  expect(await stored(box)).toMatchObject([{ envelope_to: box.address, remote_address: '192.0.2.7' }]);
});

function snsMessage(fields: Record<string, string>): string {
  const message: Record<string, string> = {
    MessageId: `sns-${++number}`,
    TopicArn: 'arn:aws:sns:eu-west-1:1:mail',
    Timestamp: '2026-11-28T10:00:00.000Z',
    SignatureVersion: '2',
    SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/cert.pem',
    ...fields,
  };
  const order = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = order
    .flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`]))
    .join('');
  const signature = sign('sha256', Buffer.from(text), createPrivateKey(SELF_SIGNED.key)).toString('base64');
  return JSON.stringify({ Signature: signature, ...message });
}
const sns = (path: string, body: string) =>
  post(path, body, { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' });

it('Amazon SES: the message in a notification of SNS, which confirms its subscription', async () => {
  const box = await makeMailbox();
  const subscribe = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t';
  const confirmation = {
    Type: 'SubscriptionConfirmation',
    Message: 'Confirm',
    Token: 't',
    SubscribeURL: subscribe,
  };
  const confirmed = await sns(box.path, snsMessage(confirmation));
  expect([confirmed.status, await confirmed.json()]).toEqual([200, { stored: false }]);
  expect(asked).toContain(subscribe);
  const raw = mail();
  const notification = {
    content: raw.toString('base64'),
    receipt: { recipients: [box.address], action: { encoding: 'BASE64' } },
    mail: { source: 'maya@customer.example' },
  };
  const body = snsMessage({ Type: 'Notification', Message: JSON.stringify(notification) });
  for (let time = 0; time < 2; time++) expect((await sns(box.path, body)).status).toBe(200);
  const rows = await stored(box);
  expect(rows).toMatchObject([{ envelope_from: 'maya@customer.example', envelope_to: box.address }]);
  expect(rows[0].raw.equals(raw)).toBe(true);
});

it('SNS: a wrong signature, and another host than Amazon’s, are refused', async () => {
  const box = await makeMailbox();
  const body = snsMessage({ Type: 'Notification', Message: '{"content":"x"}' });
  expect(
    (await sns(box.path, body.replace('"x', '"y').replace('content\\":\\"x', 'content\\":\\"y'))).status,
  ).toBe(401);
  const evil = snsMessage({
    Type: 'SubscriptionConfirmation',
    Message: 'Confirm',
    Token: 't',
    SubscribeURL: 'https://sns.eu-west-1.amazonaws.com.evil.example/',
  });
  expect((await sns(box.path, evil)).status).toBe(401);
  const cert = snsMessage({
    Type: 'Notification',
    Message: '{}',
    SigningCertURL: 'https://evil.example/cert.pem',
  });
  expect((await sns(box.path, cert)).status).toBe(401);
  expect(asked.filter((url) => url.includes('evil'))).toEqual([]);
  expect(await stored(box)).toEqual([]);
});
