import { randomUUID } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { freePort } from '../../test/foyer-process.ts';
import { openMailDesk } from '../../test/mails/mail-desk.ts';
import { readConfig } from '../config.ts';
import { scanWithClamav } from '../files/clamav.ts';
import { importSite } from '../site-archive/read.ts';
import { newArchive, nextStep } from '../site-archive/write.ts';

/** The signature that every scanner must report, split so that none reports this file. */
const EICAR = Buffer.from('X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD' + '-ANTIVIRUS-TEST-FILE!$H+H*');
const STREAM_MAX_BYTES = 200_000;

/** A clamd that knows INSTREAM and one virus. */
function startClamd(port: number): Promise<Server> {
  const serve = (socket: Socket): void => {
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (part) => {
      received = Buffer.concat([received, Buffer.from(part)]);
      const command = Buffer.from('zINSTREAM\0');
      if (!received.subarray(0, command.length).equals(command)) return;
      const chunks: Buffer[] = [];
      for (let at = command.length; at + 4 <= received.length; ) {
        const length = received.readUInt32BE(at);
        if (length === 0) {
          const content = Buffer.concat(chunks);
          if (content.includes('never answer')) return;
          const found = content.includes(EICAR) ? 'Eicar-Test-Signature FOUND' : 'OK';
          return void socket.end(`stream: ${found}\0`);
        }
        chunks.push(received.subarray(at + 4, at + 4 + length));
        at += 4 + length;
      }
      if (received.length > STREAM_MAX_BYTES) socket.end('INSTREAM size limit exceeded. ERROR\0');
    });
  };
  const server = createServer(serve);
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

let port: number;
let clamd: Server;
let app: TestApp;
let lenient: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  port = await freePort();
  const environment = { FOYER_CLAMAV_URL: `tcp://127.0.0.1:${port}` };
  [clamd, app] = await Promise.all([startClamd(port), startTestApp(environment)]);
  lenient = await startTestApp(
    { ...environment, FOYER_CLAMAV_AWAY: 'accept' },
    {},
    {
      url: app.databaseUrl,
      close: async () => undefined,
    },
  );
});
beforeEach(async () => {
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  clamd.close();
  await lenient.close();
  await app.close();
});

const upload = async (content: Buffer, to = app): Promise<{ status: number; body: Json }> => {
  const response = await fetch(`${to.url}/app/uploads/${randomUUID()}?name=invoice.pdf`, {
    method: 'PUT',
    headers: { cookie, origin: to.url, 'content-type': 'application/pdf' },
    body: new Uint8Array(content),
  });
  return { status: response.status, body: await response.json() };
};
const refusals = async (): Promise<Json[]> => {
  const { body } = await app.desk(cookie, 'audit.list', { subject: 'file' });
  return body.data.map(({ label, action, changes }: Json) => ({ label, action, changes }));
};
const ENTRY = { action: 'files.refuse', changes: { malware: [null, 'Eicar-Test-Signature'] } };

describe('files with malware', () => {
  test('aren’t uploaded, and the audit log says so', async () => {
    expect((await upload(Buffer.from('a clean file'))).status).toBe(201);
    expect((await upload(Buffer.alloc(0))).status).toBe(201);
    const refused = await upload(Buffer.concat([Buffer.alloc(150_000), EICAR]));
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({
      code: 'invalid_input',
      message: 'invoice.pdf is refused: Eicar-Test-Signature.',
    });
    expect(await refusals()).toEqual([{ label: 'invoice.pdf', ...ENTRY }]);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('foyer_security_events_total{severity="warning",action="files.refuse"} 1');
  });

  test('don’t become what the bot answers from', async () => {
    const keep = async (name: string, content: Buffer): Promise<number> => {
      const response = await fetch(`${app.url}/app/knowledge-files?name=${name}`, {
        method: 'PUT',
        headers: { cookie, origin: app.url, 'content-type': 'application/octet-stream' },
        body: new Uint8Array(content),
      });
      await response.body?.cancel();
      return response.status;
    };
    const pdf = Buffer.from('%PDF-1.4\n');
    expect(await keep('terms.pdf', Buffer.concat([pdf, EICAR]))).toBe(400);
    expect(await refusals()).toEqual([{ label: 'terms.pdf', ...ENTRY }]);
    const sources = async () => (await app.desk(cookie, 'knowledge_sources.list')).body.data;
    expect(await sources()).toEqual([]);
    expect(await keep('terms.pdf', pdf)).toBe(201);
    expect(await sources()).toMatchObject([{ address: 'terms.pdf' }]);
  });

  test('aren’t sent by programs', async () => {
    const ticket = await app.rest(site.write, 'POST', '/v1/tickets', {
      subject: 'The lamp',
      body: 'It broke.',
      requester: { key: 'user_1' },
    });
    const attachments = [{ name: 'virus.exe', content: EICAR.toString('base64') }];
    const reply = { ticket_id: ticket.body.data.id, type: 'public', body: 'Here', attachments };
    expect(await app.rest(site.write, 'POST', '/v1/ticket_reply', reply)).toMatchObject({ status: 400 });
    const chat = { sender: 'visitor', visitor: { key: 'user_1' }, text: 'Here', attachments };
    expect((await app.rest(site.write, 'POST', '/v1/conversations', chat)).status).toBe(400);
    expect((await refusals()).map(({ label }) => label)).toContain('virus.exe');
  });

  test('are removed from emails, with a note in their place', async () => {
    const desk = await openMailDesk(
      { db: app.app.database.db, makeSite: async () => site.operator },
      { clamav: readConfig({ FOYER_CLAMAV_URL: `tcp://127.0.0.1:${port}` }).clamav },
    );
    const raw = [
      'From: Priya <priya@visitor.example>',
      `To: ${desk.address}`,
      'Subject: Invoice',
      `Message-ID: <${randomUUID()}@visitor.example>`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the file.',
      '--b',
      'Content-Type: application/octet-stream; name="virus.exe"',
      'Content-Disposition: attachment; filename="virus.exe"',
      'Content-Transfer-Encoding: base64',
      '',
      EICAR.toString('base64'),
      '--b--',
      '',
    ].join('\r\n');
    expect(await desk.receive(raw)).toMatchObject({ state: 'ticket' });
    const { rows } = await app.app.database.pool.query(
      `select name, convert_from(content, 'utf8') as content from attachments where site_id = $1`,
      [site.site.id],
    );
    expect(rows).toEqual([
      {
        name: 'virus.exe.removed.txt',
        content: 'Foyer removed virus.exe: Eicar-Test-Signature.\n',
      },
    ]);
    expect(await refusals()).toEqual([{ label: 'virus.exe', ...ENTRY }]);
  });
});

test('files with malware in a site archive become notes when it is imported', async () => {
  const ticket = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'The lamp',
    body: 'It broke.',
    requester: { key: 'user_1' },
  });
  const ticket_id = ticket.body.data.id;
  const files = ['virus.exe', 'fine.txt'].map((name) => ({ name, content: 'YSBmaWxl' }));
  const reply = { ticket_id, type: 'public', body: 'Here', attachments: files };
  expect((await app.rest(site.write, 'POST', '/v1/ticket_reply', reply)).status).toBe(201);
  // Like a file that was stored before there was a scanner.
  const { pool } = app.app.database;
  await pool.query(
    "update attachments set content = $2, size = $3 where site_id = $1 and name = 'virus.exe'",
    [site.site.id, EICAR, EICAR.length],
  );
  const parts: Buffer[] = [];
  for (let state = newArchive(randomUUID()); !state.done; ) {
    const step = await nextStep(site.operator, state, '1.0.0');
    parts.push(step.bytes);
    state = step.state;
  }
  const other = await app.makeSite();
  const report = await importSite(other.operator, () => Readable.from(parts), { replace: true });
  expect(report.not_taken).toEqual([]);
  const { rows } = await pool.query(
    'select name, content_type, content::text from attachments where site_id = $1 order by id',
    [other.site.id],
  );
  const note = Buffer.from('Foyer removed virus.exe: Eicar-Test-Signature.\n');
  expect(rows).toEqual([
    {
      name: 'virus.exe.removed.txt',
      content_type: 'text/plain',
      content: `\\x${note.toString('hex')}`,
    },
    expect.objectContaining({ name: 'fine.txt' }),
  ]);
  cookie = await app.signIn(other.admin.email);
  expect(await refusals()).toEqual([{ label: 'virus.exe', ...ENTRY }]);
});

describe('without an answer from clamd', () => {
  test('files are refused for now, or accepted if the operator says so', async () => {
    expect((await upload(Buffer.alloc(STREAM_MAX_BYTES * 20))).body.error).toMatchObject({
      code: 'invalid_input',
      message: 'invoice.pdf is refused: too large to scan.',
    });
    expect((await upload(Buffer.alloc(STREAM_MAX_BYTES * 20), lenient)).status).toBe(201);
    await new Promise((resolve) => clamd.close(resolve));
    const away = await upload(Buffer.from('a clean file'));
    expect(away).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect((await upload(Buffer.from('a clean file'), lenient)).status).toBe(201);
    clamd = await startClamd(port);
    expect((await upload(Buffer.from('a clean file'))).status).toBe(201);
  });

  test('a scan that takes too long is aborted', async () => {
    const scan = scanWithClamav({ address: { host: '127.0.0.1', port } }, Buffer.from('never answer'), 50);
    await expect(scan).rejects.toThrow('clamd took too long');
  });

  test('a wrong address or setting is an error at the start', () => {
    const of = (FOYER_CLAMAV_URL: string, FOYER_CLAMAV_AWAY = '') =>
      readConfig({ FOYER_CLAMAV_URL, FOYER_CLAMAV_AWAY }).clamav;
    expect(of('tcp://clamav')).toEqual({ address: { host: 'clamav', port: 3310 }, whenAway: 'refuse' });
    expect(of('unix:///run/clamd.sock', 'accept')).toEqual({
      address: { path: '/run/clamd.sock' },
      whenAway: 'accept',
    });
    expect(of('')).toBeUndefined();
    for (const wrong of ['clamav:3310', 'http://clamav:3310', 'tcp://clamav:0', 'unix://run'])
      expect(() => of(wrong), wrong).toThrow('FOYER_CLAMAV_URL');
    expect(() => of('tcp://clamav', 'maybe')).toThrow('FOYER_CLAMAV_AWAY');
  });
});
