import { randomUUID } from 'node:crypto';
import type { InputOf, KnowledgeSource, Message, OperationName } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAgent } from '../../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { docxEntries, makeDocx, makePdf, makeZip, putKnowledgeFile } from '../../../test/documents.ts';
import { until } from '../../../test/harness.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { extractFile } from './extract/extract-file.ts';
import { readFile } from './read-file.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const put = (name: string, content: Buffer, as: { cookie?: string; origin?: string } = {}) =>
  putKnowledgeFile(app.url, as.cookie ?? cookie, { name, content, origin: as.origin ?? app.url });

async function desk<N extends OperationName>(operation: N, input: InputOf<N>): Promise<Json> {
  const { body } = await app.desk(cookie, operation, input);
  expect(body, JSON.stringify(body)).toMatchObject({ ok: true });
  return body.data;
}

/** Uploads a file and waits until it was read. */
async function upload(name: string, content: Buffer): Promise<KnowledgeSource> {
  const response = await put(name, content);
  expect(response.status).toBe(201);
  const { data } = (await response.json()) as Json;
  let source: Json;
  await until(async () => {
    source = await desk('knowledge_sources.list', { id: data.id });
    return source.state === 'ready' || source.state === 'failed';
  });
  return source;
}

const documentOf = async (sourceId: number): Promise<Json> => {
  const [{ id }] = await desk('knowledge_documents.list', { source_id: sourceId });
  return desk('knowledge_documents.get', { id });
};

/** The bot's answer to an anonymous visitor. */
async function ask(text: string): Promise<Message & { sessionId: string }> {
  const { socket } = await TestSocket.visitor(app.url, site.publicKey);
  const sent = (await socket.call('chat.send', {
    session_id: null,
    client_id: randomUUID(),
    text,
  })) as { session: { session_id: string } };
  const sessionId = sent.session.session_id;
  await socket.subscribe(sessionId);
  const { message } = await socket.next('message', (frame) => frame.message.sender === 'bot');
  socket.cut();
  return { ...message, sessionId };
}

const WARRANTY = makePdf([
  [
    { text: 'Warranty terms', size: 20 },
    { text: 'Every lamp has a warranty of five years. It covers the mo-' },
    { text: 'tor and the cable, but not the bulb.' },
    { text: 'How to claim', size: 15 },
    { text: '1. Write to us with the receipt.' },
    { text: '2. Send the lamp to our workshop.' },
  ],
]);

test('a PDF is read, and a visitor gets an answer from it that names it', async () => {
  const source = await upload('Warranty 2026.pdf', WARRANTY);
  expect(source).toMatchObject({
    kind: 'file',
    address: 'Warranty 2026.pdf',
    state: 'ready',
    problem: null,
    documents: 1,
    bytes: WARRANTY.length,
    passages: 2,
    uses: 0,
    last_used_utc: null,
  });
  const document = await documentOf(source.id);
  expect(document).toMatchObject({ title: 'Warranty terms', is_cut: false });
  expect(document.body).toBe(
    '# Warranty terms\n\nEvery lamp has a warranty of five years. It covers the motor and the cable, but not the bulb.\n\n## How to claim\n\n1. Write to us with the receipt.\n\n2. Send the lamp to our workshop.',
  );
  const answer = await ask('How long is the warranty of a lamp?');
  expect(answer.text).toContain('five years');
  expect(answer.sources).toEqual([{ document_id: document.id, title: 'Warranty terms', url: null }]);
  const { body } = await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${answer.sessionId}`);
  expect(body.data.messages.at(-1)).toMatchObject({ sources: [], documents: answer.sources });
  const used = await desk('knowledge_sources.list', { id: source.id });
  expect(used).toMatchObject({ uses: 1, last_used_utc: expect.any(String) });
  await ask('Do you sell live elephants on Mondays?');
  expect((await desk('knowledge_sources.list', { id: source.id })).uses).toBe(1);
  await desk('knowledge_sources.delete', { id: source.id });
});

test('a Word document is read with its headings and tables, and the search shows where a passage is from', async () => {
  const content = makeDocx(
    [
      { text: 'Price list', style: 'Title' },
      { text: 'Repairs', style: 'Heading1' },
      { text: 'We replace the dimmer of a floor lamp within a week.' },
    ],
    [
      ['Part', 'Price'],
      ['Dimmer', '24 EUR'],
    ],
  );
  const { id } = await upload('prices.docx', content);
  const document = await documentOf(id);
  expect(document.body).toBe(
    '# Price list\n\n# Repairs\n\nWe replace the dimmer of a floor lamp within a week.\n\n| Part | Price |\n| --- | --- |\n| Dimmer | 24 EUR |',
  );
  const { passages } = await desk('knowledge.search', { q: 'replace the dimmer' });
  expect(passages[0]).toMatchObject({ article_id: null, document_id: document.id, title: 'Price list' });
  await desk('knowledge_sources.delete', { id });
  expect((await desk('knowledge.search', { q: 'replace the dimmer' })).passages).toEqual([]);
  expect((await app.desk(cookie, 'knowledge_documents.get', { id: document.id })).status).toBe(404);
});

test('a file replaces an earlier one of the same name', async () => {
  const first = await upload('hours.pdf', makePdf([[{ text: 'The workshop opens at eight.' }]]));
  const again = await upload('hours.pdf', makePdf([[{ text: 'The workshop opens at eleven.' }]]));
  expect(again.id).toBe(first.id);
  expect(await documentOf(again.id)).toMatchObject({ title: 'hours', body: 'The workshop opens at eleven.' });
  const { passages } = await desk('knowledge.search', { q: 'When does the workshop open?' });
  expect(passages.map(({ text }: Json) => text)).toEqual(['The workshop opens at eleven.']);
  // The bot keeps its knowledge if the next file is unusable.
  const failed = await upload('hours.pdf', makePdf([[]]));
  expect(failed).toMatchObject({ id: first.id, state: 'failed', problem: 'no_text', passages: 1 });
  expect((await desk('knowledge.search', { q: 'When does the workshop open?' })).passages).toHaveLength(1);
  await desk('knowledge_sources.delete', { id: first.id });
});

const COMPOUND = Buffer.concat([
  Buffer.from('d0cf11e0a1b11ae1', 'hex'),
  Buffer.alloc(512),
  Buffer.from('EncryptedPackage', 'utf16le'),
]);

test.each<[problem: string, content: Buffer]>([
  ['no_text', makePdf([[], []])],
  ['encrypted', makePdf([[{ text: 'Secret' }]], { encrypt: true })],
  ['encrypted', COMPOUND],
  ['damaged', Buffer.from('%PDF-1.7\nand nothing more')],
  ['damaged', makeZip({ 'word/document.xml': '<not xml' })],
  ['too_many_pages', makePdf(Array.from({ length: 501 }, () => [{ text: 'A page' }]))],
])('a file that can’t be read is kept with its reason: %s', async (problem, content) => {
  const source = await upload(`${randomUUID()}.pdf`, content);
  expect(source).toMatchObject({ state: 'failed', problem, documents: 0, passages: 0 });
  const { rows } = await app.app.database.pool.query(
    'select 1 from knowledge_files f join knowledge_documents d on d.id = f.document_id where d.source_id = $1',
    [source.id],
  );
  expect(rows).toEqual([]);
  await desk('knowledge_sources.delete', { id: source.id });
});

test.each<[what: string, content: Buffer]>([
  ['text', Buffer.from('Just words')],
  ['a picture', Buffer.from('89504e470d0a1a0a', 'hex')],
  ['another archive', makeZip({ 'xl/workbook.xml': '<x/>' })],
  ['nothing', Buffer.alloc(0)],
])('%s is refused, whatever its name says', async (_what, content) => {
  const response = await put('terms.pdf', content);
  expect(response.status).toBe(415);
  expect(await desk('knowledge_sources.list', {})).toEqual([]);
});

test('only an admin of the site adds files, from the desk itself, up to 20 MiB', async () => {
  const email = `${randomUUID()}@example.com`;
  await makeAgent(site.operator, { email, name: 'Ben' });
  const agent = await app.signIn(email);
  const refused = await Promise.all([
    put('a.pdf', WARRANTY, { cookie: '' }),
    put('a.pdf', WARRANTY, { cookie: agent }),
    put('a.pdf', WARRANTY, { origin: 'https://evil.example' }),
    put('', WARRANTY),
    put('a.pdf', Buffer.alloc(20 * 1024 * 1024 + 1, '%PDF-')),
  ]);
  expect(refused.map(({ status }) => status)).toEqual([401, 401, 403, 400, 413]);
  expect(await desk('knowledge_sources.list', {})).toEqual([]);
  const tried = await Promise.all([
    app.desk(agent, 'knowledge_sources.list', {}),
    app.desk(agent, 'knowledge_sources.delete', { id: 1 }),
  ]);
  expect(tried.map(({ status }) => status)).toEqual([200, 403]);
});

test('a file whose reading killed a process is read again, and skipped after the third time', async () => {
  const { id } = await upload('again.pdf', WARRANTY);
  const document = await documentOf(id);
  const { pool } = app.app.database;
  const again = async (attempts: number) => {
    await pool.query(
      `update knowledge_documents set state = 'reading', body = '', passages = 0, attempts = $2 where id = $1`,
      [document.id, attempts],
    );
    await pool.query(
      'insert into knowledge_files (site_id, document_id, content) values ($1, $2, $3) on conflict do nothing',
      [site.site.id, document.id, WARRANTY],
    );
    await readFile(site.operator, document.id);
    return documentOf(id);
  };
  expect(await again(1)).toMatchObject({ state: 'ready', passages: 2 });
  expect(await again(3)).toMatchObject({ state: 'failed', problem: 'too_complex', passages: 0 });
  await desk('knowledge_sources.delete', { id });
});

test('the audit log records who added and deleted a file', async () => {
  const { id } = await upload('audited.docx', makeDocx([{ text: 'A text' }]));
  await desk('knowledge_sources.delete', { id });
  const entries = await desk('audit.list', { subject: 'knowledge_source', limit: 2 });
  expect(entries.map(({ action, label }: Json) => [action, label])).toEqual([
    ['knowledge_sources.delete', 'audited.docx'],
    ['knowledge_sources.upload', 'audited.docx'],
  ]);
});

test('a site can have at most one hundred sources, and can still replace one then', async () => {
  const full = await app.makeSite();
  const other = await app.signIn(full.admin.email);
  await app.app.database.pool.query(
    `insert into knowledge_sources (site_id, kind, address, created_at)
     select $1, 'file', 'file ' || n || '.pdf', now() from generate_series(1, 100) n`,
    [full.site.id],
  );
  const refused = await put('one more.pdf', WARRANTY, { cookie: other });
  expect([refused.status, await refused.json()]).toMatchObject([409, { error: { reason: 'too_many' } }]);
  expect((await put('file 7.pdf', WARRANTY, { cookie: other })).status).toBe(201);
});

test('reading a small file that unpacks to too much memory is aborted, and the process continues', async () => {
  const bomb = makeZip(docxEntries(Buffer.alloc(200 * 1024 * 1024, 'a')));
  expect(bomb.length).toBeLessThan(1024 * 1024);
  expect(await extractFile(bomb, { memoryMaxMib: 96 })).toEqual({ problem: 'too_complex' });
  expect(await extractFile(WARRANTY, { timeMaxMs: 1 })).toEqual({ problem: 'too_complex' });
  expect(await extractFile(WARRANTY)).toMatchObject({ title: 'Warranty terms' });
});
