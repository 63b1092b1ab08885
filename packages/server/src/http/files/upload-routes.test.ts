import { randomUUID } from 'node:crypto';
import type { Message, VisitorSession } from '@foyer/protocol';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { findDue } from '../../../test/find-due.ts';
import { TestSocket } from '../../../test/sockets.ts';
import { uploadClock } from '../../attachments/uploads.ts';
import { filesGot } from '../../bot/phrases.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
let photo: Buffer;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
  photo = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#345' } })
    .withExif({ IFD0: { Copyright: 'taken at home' } })
    .jpeg()
    .toBuffer();
});
afterAll(() => app.close());

interface Sent {
  status: number;
  body: Json;
}

const send = async (path: string, init: RequestInit): Promise<Sent> => {
  const response = await fetch(app.url + path, init);
  return { status: response.status, body: await response.json() };
};
const put = (token: string, id: string, name: string, body: string | Buffer, headers: object = {}) =>
  send(`/widget/uploads/${id}?site=${site.publicKey}&name=${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
const putAsAgent = (id: string, name: string, body: string, origin = app.url) =>
  send(`/app/uploads/${id}?name=${name}`, { method: 'PUT', headers: { cookie, origin }, body });
const unsent = async (): Promise<number> => {
  const { rows } = await app.app.database.pool.query(
    'select count(*)::int as n from attachments where reply_id is null and conversation_id is null',
  );
  return rows[0].n;
};

const newVisitor = () => TestSocket.visitor(app.url, site.publicKey);
const say = (socket: TestSocket, input: object) =>
  socket.call('chat.send', { session_id: null, client_id: randomUUID(), text: '', ...input }) as Promise<{
    session: VisitorSession | null;
    message: Message;
  }>;
const get = (url: string) => {
  const { pathname, search } = new URL(url);
  return fetch(app.url + pathname + search);
};

describe('files of a chat', () => {
  it('are sent with the message that names them, to both sides and into the transcript', async () => {
    const { socket, welcome } = await newVisitor();
    const [first, second] = [randomUUID(), randomUUID()];
    expect(
      await put(welcome.token, first, '../me.PNG', photo, { 'content-type': 'image/png' }),
    ).toMatchObject({
      status: 201,
      body: { data: { upload_id: first, name: 'me.jpg', content_type: 'image/jpeg' } },
    });
    await put(welcome.token, second, 'notes.txt', 'a few words');
    const { session, message } = await say(socket, { attachments: [second, first] });
    expect(message).toMatchObject({
      text: '',
      attachments: [
        { name: 'notes.txt', size: 11, image: null },
        { name: 'me.jpg', image: { width: 60, height: 40 } },
      ],
    });
    const id = session?.session_id ?? '';
    const { body } = await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${id}`);
    expect(body.data.messages[0].attachments).toMatchObject([{ name: 'notes.txt' }, { name: 'me.jpg' }]);

    const picture = await get(message.attachments[1]?.image?.url ?? '');
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect(picture.headers.get('content-disposition')).toMatch(/^inline; /);
    expect(picture.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(Buffer.from(await picture.arrayBuffer()).includes('taken at home')).toBe(false);
    const text = await get(message.attachments[0]?.url ?? '');
    expect(text.headers.get('content-type')).toBe('application/octet-stream');
    expect(await text.text()).toBe('a few words');
    const asImage = message.attachments[0]?.url.replace('?', '/image?') ?? '';
    expect((await get(asImage)).status).toBe(404);
  });

  it('may be empty', async () => {
    const { socket, welcome } = await newVisitor();
    const file = randomUUID();
    expect((await put(welcome.token, file, 'empty.txt', '')).status).toBe(201);
    const { message } = await say(socket, { attachments: [file] });
    expect(message.attachments).toMatchObject([{ name: 'empty.txt', size: 0 }]);
  });

  it('without a text get the bot’s reply in the visitor’s language, and count as no missed question', async () => {
    const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey, { locale: 'de-AT' });
    const answers: string[] = [];
    let id: string | null = null;
    for (const name of ['one.txt', 'two.txt', 'three.txt']) {
      const file = randomUUID();
      await put(welcome.token, file, name, 'a few words');
      const { session, message } = await say(socket, { session_id: id, attachments: [file] });
      id ??= session?.session_id ?? '';
      await socket.subscribe(id);
      const reply = await socket.next('message', (frame) => frame.message.seq > message.seq);
      answers.push(reply.message.text);
    }
    expect(answers).toEqual(Array(3).fill(filesGot('de')));
    const { rows } = await app.app.database.pool.query(
      `select c.status, c.bot_misses, (select count(*)::int from unanswered_question_messages g where g.site_id = c.site_id and g.conversation_id = c.id) as unknown
       from conversations c where c.session_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ status: 'bot', bot_misses: 0, unknown: 0 }]);
  });

  it('are in the webhook event of the message', async () => {
    await app.rest(site.write, 'POST', '/v1/webhook_subscriptions', {
      url: 'http://127.0.0.1:9/',
      events: ['message_created'],
    });
    const { socket, welcome } = await newVisitor();
    const file = randomUUID();
    await put(welcome.token, file, 'notes.txt', 'a few words');
    const { message } = await say(socket, { attachments: [file] });
    const { rows } = await app.app.database.pool.query(
      `select convert_from(body, 'utf8')::jsonb as body from webhook_events where site_id = $1`,
      [site.site.id],
    );
    const told = rows
      .map(({ body }) => body.message)
      .find(({ seq, sender }) => seq === message.seq && sender === 'visitor');
    expect(told).toMatchObject({ text: '', attachments: [{ name: 'notes.txt', size: 11, image: null }] });
    expect(await (await get(told.attachments[0].url)).text()).toBe('a few words');
  });

  it('of an agent reach the visitor, and lists name the files of a message without a text', async () => {
    const { socket, welcome } = await newVisitor();
    const { session } = await say(socket, { text: 'Where is it?' });
    const id = session?.session_id ?? '';
    await socket.subscribe(id);
    const file = randomUUID();
    expect(await putAsAgent(file, 'label.zip', 'PK')).toMatchObject({ status: 201 });
    const { body } = await app.desk(cookie, 'sessions.reply', {
      session_id: id,
      client_id: randomUUID(),
      text: 'Here',
      attachments: [file],
    });
    expect(body.data.attachments).toMatchObject([{ name: 'label.zip', image: null }]);
    const { message } = await socket.next('message', (frame) => frame.message.sender === 'agent');
    expect(message.attachments).toMatchObject([{ name: 'label.zip' }]);
    // The bot, which an agent has silenced, would otherwise have sent the last message.
    const [first, second] = [randomUUID(), randomUUID()];
    await put(welcome.token, first, 'me.jpg', photo, { 'content-type': 'image/jpeg' });
    await put(welcome.token, second, 'notes.txt', 'a few words');
    await say(socket, { session_id: id, attachments: [second, first] });
    const listed = await app.desk(cookie, 'sessions.get', { session_id: id });
    expect(listed.body.data.last_message.text).toBe('📎 notes.txt, me.jpg');
  });

  it('uploaded twice are stored once, and sent twice are in one message', async () => {
    const { socket, welcome } = await newVisitor();
    const [file, clientId] = [randomUUID(), randomUUID()];
    const answers = await Promise.all([1, 2, 3].map(() => put(welcome.token, file, 'a.txt', 'once')));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const first = await say(socket, { client_id: clientId, attachments: [file] });
    expect((await put(welcome.token, file, 'a.txt', 'once')).status).toBe(201);
    const again = await say(socket, { client_id: clientId, attachments: [file] });
    expect(again.message.attachments.map(({ id }) => id)).toEqual(
      first.message.attachments.map(({ id }) => id),
    );
    expect(again.message.seq).toBe(1);
  });

  it('are refused with their message when one is missing, another’s or already deleted, and nothing is stored', async () => {
    const [one, other] = await Promise.all([newVisitor(), newVisitor()]);
    const [mine, theirs] = [randomUUID(), randomUUID()];
    await put(one.welcome.token, mine, 'a.txt', 'mine');
    await put(other.welcome.token, theirs, 'b.txt', 'theirs');
    for (const attachments of [[mine, theirs], [theirs], [randomUUID()]]) {
      await expect(say(one.socket, { text: 'x', attachments })).rejects.toMatchObject({ code: 'not_found' });
    }
    const { message, session } = await say(one.socket, { text: 'x', attachments: [mine] });
    expect(message.seq).toBe(1);
    await expect(
      say(one.socket, { session_id: session?.session_id, text: 'again', attachments: [mine] }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are subject to the limits of the site, those of agents only to its maximum size', async () => {
    const strict = { upload_max_bytes: 2048, upload_max_files: 1, upload_kinds: ['image'] };
    const { body } = await app.desk(cookie, 'site.update', strict);
    expect(body.data).toMatchObject(strict);
    const { socket, welcome } = await newVisitor();
    expect(welcome.site.uploads).toEqual({ max_bytes: 2048, max_files: 1, kinds: ['image'] });
    const big = Buffer.alloc(2049);
    expect((await put(welcome.token, randomUUID(), 'a.png', big)).body.error.code).toBe('payload_too_large');
    expect((await put(welcome.token, randomUUID(), 'a.txt', 'x')).body.error.code).toBe(
      'unsupported_media_type',
    );
    expect((await put(welcome.token, randomUUID(), 'a.png.exe', 'x')).body.error.code).toBe(
      'unsupported_media_type',
    );
    expect((await putAsAgent(randomUUID(), 'a.zip', 'x'.repeat(3000))).status).toBe(201);
    const [first, second] = [randomUUID(), randomUUID()];
    await put(welcome.token, first, 'a.png', 'x');
    await put(welcome.token, second, 'b.png', 'x');
    await expect(say(socket, { attachments: [first, second] })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    await app.desk(cookie, 'site.update', {
      upload_max_bytes: 10_485_760,
      upload_max_files: 5,
      upload_kinds: ['image', 'document', 'media'],
    });
  });

  it('are accepted from no unknown sender, and from no other page', async () => {
    expect((await put('vis_nobody', randomUUID(), 'a.txt', 'x')).status).toBe(401);
    expect((await putAsAgent(randomUUID(), 'a.txt', 'x', 'https://evil.example')).status).toBe(403);
    const { welcome } = await newVisitor();
    const headers = { origin: 'https://evil.example' };
    expect((await put(welcome.token, randomUUID(), 'a.txt', 'x', headers)).status).toBe(403);
    expect((await put(welcome.token, 'no-uuid', 'a.txt', 'x')).status).toBe(400);
  });

  it('are accepted from no blocked visitor', async () => {
    const { socket, welcome } = await newVisitor();
    const { token, visitor } = welcome;
    await say(socket, { text: 'Hello' });
    await app.desk(cookie, 'visitors.block', { key: visitor.key });
    expect(await put(token, randomUUID(), 'label.txt', 'x')).toMatchObject({
      status: 403,
      body: { error: { code: 'insufficient_scope' } },
    });
  });

  it('that are never sent are at most twenty, can be deleted, and expire after a day', async () => {
    const { welcome } = await newVisitor();
    const ids = Array.from({ length: 20 }, () => randomUUID());
    for (const id of ids) expect((await put(welcome.token, id, 'a.txt', 'x')).status).toBe(201);
    expect((await put(welcome.token, randomUUID(), 'a.txt', 'x')).body.error.code).toBe('rate_limited');
    const path = `/widget/uploads/${ids[0]}?site=${site.publicKey}`;
    await send(path, { method: 'DELETE', headers: { authorization: `Bearer ${welcome.token}` } });
    expect((await put(welcome.token, randomUUID(), 'a.txt', 'x')).status).toBe(201);

    const [job] = uploadClock;
    const { db, pool } = app.app.database;
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    expect(await findDue(job, db, later(23), 10)).toEqual([]);
    await pool.query(
      `update attachments set created_at = now() - interval '25 hours' where conversation_id is null`,
    );
    const due = await findDue(job, db, later(0), 10);
    expect(due).toMatchObject([{ siteId: site.site.id }]);
    for (const { siteId, id } of due) {
      expect(siteId).toBe(site.site.id);
      await job?.run(app.app.contextFor(site.site, { kind: 'job' }), id);
    }
    expect(await unsent()).toBe(0);
  });

  it('are deleted when their visitor is erased; the team’s files stay', async () => {
    const { socket, welcome } = await newVisitor();
    const [mine, waiting] = [randomUUID(), randomUUID()];
    await put(welcome.token, mine, 'passport.jpg', photo);
    await put(welcome.token, waiting, 'more.txt', 'x');
    const { session, message } = await say(socket, { text: 'this is me', attachments: [mine] });
    await app.rest(site.write, 'DELETE', `/v1/visitors?key=${welcome.visitor.key}`);
    expect((await get(message.attachments[0]?.url ?? '')).status).toBe(404);
    expect(await unsent()).toBe(0);
    const { body } = await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${session?.session_id}`);
    expect(body.data.messages[0]).toMatchObject({ text: 'this is me', attachments: [] });
  });
});
