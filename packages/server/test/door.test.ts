import { randomUUID } from 'node:crypto';
import type { HelpArticle, LauncherLook, VisitorSession } from '@foyer/protocol';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReplyTimes } from '../src/conversations/routing/reply-times.ts';
import { makeAgent } from './accounts.ts';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { until } from './harness.ts';
import { type Mailbox, shown, startMailbox } from './mailbox.ts';
import { TestSocket } from './sockets.ts';
import { openChat } from './stand.ts';

// A site's settings of the widget, and what its visitors see of them.

let app: TestApp;
let site: TestSite;
let cookie: string;
let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
  app = await startTestApp({ SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' });
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => Promise.all([app.close(), mailbox.close()]));

const update = (input: object) => app.desk(cookie, 'site.update', input);
const arrive = () => TestSocket.visitor(app.url, site.publicKey);
const config = async () => (await fetch(`${app.url}/widget/config?site=${site.publicKey}`)).json();

describe('the look of the widget', () => {
  const LOOK = { color: '#aa3300', position: 'left', theme: 'dark', launcher_text: 'Need help?' } as const;

  it('reaches the widget and the page’s button as soon as it is changed', async () => {
    const { status, body } = await update({ ...LOOK, language: 'fr', languages: ['fr', 'ar'], sound: false });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...LOOK, logo_url: null, languages: ['fr', 'ar'] });
    const { welcome } = await arrive();
    const look = { ...LOOK, logo_url: null };
    expect(welcome.site).toMatchObject({ look, sound: false, language: 'fr', languages: ['fr', 'ar'] });
    expect(await config()).toMatchObject({ data: { look } });
  });

  it('keeps fields that a change does not name, and resets those that it empties', async () => {
    await update({ launcher_text: '', languages: [] });
    expect(await config()).toMatchObject({ data: { look: { ...LOOK, launcher_text: '' } } });
  });

  it.each([
    { position: 'top' },
    { theme: 'sepia' },
    { launcher_text: 'x'.repeat(25) },
    { language: 'xx' },
    { languages: ['en', 'EN'] },
  ])('is not %j', async (input) => {
    const { status, body } = await update(input);
    expect(status).toBe(400);
    expect(body.error.issues[0].path).toContain(Object.keys(input)[0]);
  });
});

describe('the launcher’s words', () => {
  const wordsFor = async (lang: string, accepted: string) => {
    const path = `${app.url}/widget/config?site=${site.publicKey}&lang=${lang}`;
    const answer = await fetch(path, { headers: { 'accept-language': accepted } });
    expect(answer.headers.get('vary')).toContain('accept-language');
    const { data }: { data: { look: LauncherLook } } = JSON.parse(await answer.text());
    return data.look.words?.open;
  };

  it('are in the language of the page, or else the browser, or else the site', async () => {
    expect(await wordsFor('undefined', 'xx, pl-PL;q=0.9, de;q=0.8')).toBe('Otwórz czat');
    expect(await wordsFor('he-IL', 'de')).toBe('פתיחת הצ׳אט');
    await update({ languages: ['fr', 'de'] });
    expect(await wordsFor('he-IL', 'ar, de;q=0.5')).toBe('Chat öffnen');
    expect(await wordsFor('he-IL', '')).toBe('Ouvrir la discussion');
    await update({ languages: [] });
  });
});

describe('an article in the panel', () => {
  it('is HTML that Foyer generates, with the base address of its links, and its votes count', async () => {
    const made = await app.rest(site.write, 'POST', '/v1/articles', {
      title: 'Postage',
      status: 'Published',
      body: '| a | b |\n|---|---|\n| 1 | <script>x</script> |\n\n![p](https://stranger.example/p.png)',
    });
    expect(made.status).toBe(201);
    const { socket } = await arrive();
    const article = (await socket.call('help.article', { slug: 'postage' })) as HelpArticle;
    expect(article.path).toBe(`/help/${site.publicKey}/articles/postage`);
    expect(article.html).toContain('<table>');
    expect(article.html).not.toMatch(/<(?:script|img)/);
    expect(article).not.toHaveProperty('body');
    for (const helpful of [true, true, false]) await socket.call('help.rate', { slug: 'postage', helpful });
    const opened = await app.desk(cookie, 'articles.open', { id: made.body.data.id });
    expect(opened.body.data.ratings).toEqual({ helpful: 0, unhelpful: 1 });
  });
});

describe('logo and faces', () => {
  const picture = async (background: string): Promise<string> => {
    const size = { width: 60, height: 40, channels: 3 as const };
    const drawn = await sharp({ create: { ...size, background } })
      .png()
      .toBuffer();
    return drawn.toString('base64');
  };

  it('show a logo in the widget and the page’s button, at an address that may be cached for ever', async () => {
    const { body } = await app.desk(cookie, 'site.set_logo', { content: await picture('red') });
    const { logo_url } = body.data;
    expect((await arrive()).welcome.site.look.logo_url).toBe(logo_url);
    expect(await config()).toMatchObject({ data: { look: { logo_url } } });
    const answer = await fetch(`${app.url}${logo_url}`);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    await app.desk(cookie, 'site.set_logo', { content: null });
    expect((await fetch(`${app.url}${logo_url}`)).status).toBe(404);
    expect(await config()).toMatchObject({ data: { look: { logo_url: null } } });
  });

  it('show an agent’s picture in the widget and beside their messages, and give programs only their name', async () => {
    const { socket } = await arrive();
    const { picture_url, id } = (await app.desk(cookie, 'me.set_picture', { content: await picture('blue') }))
      .body.data;
    const agent = await TestSocket.agent(app.url, cookie);
    const { team } = await socket.next('availability', ({ agents_online }) => agents_online);
    expect(team).toEqual([{ id, name: expect.any(String), picture_url }]);
    const { session_id, agent: nobody } = (await socket.call('chat.request_person', {
      session_id: null,
      client_id: randomUUID(),
    })) as VisitorSession;
    expect(nobody).toBeNull();
    await app.desk(cookie, 'sessions.accept', { session_id });
    await app.desk(cookie, 'sessions.reply', { session_id, client_id: randomUUID(), text: 'Hello' });
    await socket.subscribe(session_id);
    const { message } = await socket.next('message', (frame) => frame.message.text === 'Hello');
    expect(message.author).toEqual({ id, name: expect.any(String), picture_url });
    const { session } = await socket.next('session', (frame) => frame.session.status === 'active');
    expect(session.agent?.picture_url).toBe(picture_url);
    const transcript = await app.rest(site.read, 'GET', `/v1/transcripts?sessionId=${session_id}`);
    expect(transcript.body.data.messages.at(-1).author).toEqual({ id, name: message.author?.name });
    // Open pages know the previous address.
    const { picture_url: next } = (
      await app.desk(cookie, 'me.set_picture', { content: await picture('red') })
    ).body.data;
    await socket.next('availability', ({ team: shown }) => shown[0]?.picture_url === next);
    const moved = await fetch(`${app.url}${picture_url}`);
    expect([moved.url, moved.headers.get('content-type')]).toEqual([`${app.url}${next}`, 'image/webp']);
    const told = await fetch(`${app.url}${picture_url}`, { redirect: 'manual' });
    expect(told.headers.get('cache-control')).toBe('no-cache');
    expect((await app.desk(cookie, 'agents.remove_picture', { id })).body.data.picture_url).toBeNull();
    expect((await fetch(`${app.url}${picture_url}`)).status).toBe(404);
    agent.cut();
    await socket.next(
      'availability',
      ({ agents_online, team: shown }) => !agents_online && shown.length === 0,
    );
  });

  it('are set by admins (the logo) and by the owner (a picture), and by nobody else', async () => {
    const email = `${randomUUID()}@example.com`;
    await makeAgent(site.operator, { email, name: 'Mo' });
    const other = await app.signIn(email);
    const content = await picture('green');
    expect((await app.desk(other, 'site.set_logo', { content })).status).toBe(403);
    expect((await app.desk(other, 'me.set_picture', { content, id: 1 })).status).toBe(400);
    expect((await app.desk(other, 'agents.remove_picture', { id: 1 })).status).toBe(403);
  });
});

describe('the survey after a chat', () => {
  const SURVEY = { ask: 'after_team', scale: 'faces', question: 'War das gut?', thanks: '' };

  it('is sent to every visitor on arrival, in the site’s words if it has any', async () => {
    expect((await arrive()).welcome.site.survey).toEqual({
      ask: 'always',
      scale: 'stars',
      question: '',
      thanks: '',
    });
    expect((await update({ survey: SURVEY })).body.data.survey).toEqual(SURVEY);
    expect((await arrive()).welcome.site.survey).toEqual(SURVEY);
  });

  it.each([{ ask: 'sometimes' }, { scale: 'numbers' }, { question: 'x'.repeat(201) }, { thanks: undefined }])(
    'is not accepted with %j',
    async (change) => {
      expect((await update({ survey: { ...SURVEY, ...change } })).status).toBe(400);
    },
  );
});

describe('the form before a chat', () => {
  const FIELDS = [
    { kind: 'name', required: true },
    { kind: 'email', required: false },
    { kind: 'text', attribute: 'order', label: 'Order number', required: false },
    { kind: 'choice', attribute: 'topic', label: 'About', required: true, options: ['Order', 'Return'] },
  ];
  const visitorOf = async (key: string) =>
    (await app.rest(site.read, 'GET', `/v1/visitors?key=${key}`)).body.data;

  it('is stored as the visitor’s name, address and attributes, and is shown once', async () => {
    expect((await update({ pre_chat: FIELDS })).body.data.pre_chat).toEqual(FIELDS);
    const { socket, welcome } = await arrive();
    expect(welcome.pre_chat).toEqual(FIELDS);
    await socket.call('chat.introduce', { name: ' Priya ', attributes: { topic: 'Return' } });
    expect(await visitorOf(welcome.visitor.key)).toMatchObject({
      name: 'Priya',
      email: null,
      attributes: { topic: 'Return' },
    });
    const back = await TestSocket.visitor(app.url, site.publicKey, {
      token: welcome.token,
      key: welcome.visitor.key,
    });
    expect(back.welcome.pre_chat).toEqual([]);
  });

  it('records consent with the wording that was shown, its language and time', async () => {
    const wording = 'I agree to the [privacy policy](https://shop.example/privacy).';
    const consent = { kind: 'consent', label: wording, required: true };
    expect((await update({ pre_chat: [consent] })).body.data.pre_chat).toEqual([consent]);
    const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey, { locale: 'de' });
    expect(welcome.pre_chat).toEqual([consent]);
    for (const [answers, message] of [
      [{}, 'must not be empty'],
      [{ consent: 'I agree to nothing.' }, 'must be the wording that is shown'],
    ] as const)
      await expect(socket.call('chat.introduce', answers)).rejects.toMatchObject({
        issues: [{ path: 'consent', message }],
      });
    await socket.call('chat.introduce', { consent: wording });
    await update({ pre_chat: [{ ...consent, label: 'I agree to the new policy.', required: false }] });
    const { key } = welcome.visitor;
    const { body } = await app.desk(cookie, 'visitors.open', { key });
    expect(body.data.consents).toEqual([
      { id: expect.any(Number), wording, language: 'de', verified: false, agreed_utc: expect.any(String) },
    ]);
    expect(Math.abs(Date.parse(body.data.consents[0].agreed_utc) - Date.now())).toBeLessThan(60_000);
    expect((await visitorOf(key)).attributes).toEqual({});

    const other = await arrive();
    await other.socket.call('chat.introduce', {});
    const none = await app.desk(cookie, 'visitors.open', { key: other.welcome.visitor.key });
    expect(none.body.data.consents).toEqual([]);
    await update({ pre_chat: FIELDS });
  });

  it('leaves out fields that the page supplies', async () => {
    const attributes = { name: 'Ada', topic: 'Order' };
    const { welcome } = await TestSocket.visitor(app.url, site.publicKey, { attributes });
    expect(welcome.pre_chat.map(({ kind }) => kind)).toEqual(['email', 'text']);
  });

  it('is shown to unverified visitors with a known key, and their answers don’t change known values', async () => {
    const key = `user_${randomUUID()}`;
    await app.rest(site.write, 'POST', '/v1/visitors', { key, name: 'Ada', topic: 'Order' });
    const { socket, welcome } = await TestSocket.visitor(app.url, site.publicKey, { key });
    expect(welcome.pre_chat).toEqual(FIELDS);
    const answers = { name: 'Mallory', email: 'ada@example.com', attributes: { topic: 'Return' } };
    await socket.call('chat.introduce', answers);
    expect(await visitorOf(key)).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      attributes: { topic: 'Order' },
    });
  });

  it('is refused with all missing fields and unknown options, and nothing of it is stored', async () => {
    const { socket, welcome } = await arrive();
    await expect(
      socket.call('chat.introduce', { email: 'p@example.com', attributes: { topic: 'Weather' } }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      issues: [
        { path: 'name', message: 'must not be empty' },
        { path: 'attributes.topic', message: 'must be one of the options' },
      ],
    });
    await expect(socket.call('chat.introduce', { attributes: { 'no name': 'x' } })).rejects.toMatchObject({
      code: 'invalid_input',
    });
    // Such a name would be invisible in a list.
    await expect(
      socket.call('chat.introduce', { name: '\u200b\u2060', email: 'p@example.com' }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      issues: expect.arrayContaining([{ path: 'name', message: 'must not be empty' }]),
    });
    expect(await visitorOf(welcome.visitor.key)).toBeUndefined();
  });

  it('ignores answers to other fields, such as an attribute of the page', async () => {
    const { socket, welcome } = await arrive();
    await socket.call('chat.introduce', { name: 'P', attributes: { topic: 'Order', plan: 'gold' } });
    expect((await visitorOf(welcome.visitor.key)).attributes).toEqual({ topic: 'Order' });
  });

  it.each([
    [
      [
        { kind: 'name', required: true },
        { kind: 'name', required: false },
      ],
      'must not repeat a field',
    ],
    [[{ kind: 'text', attribute: 'email', label: 'E', required: true }], 'not key, email or name'],
    [
      [{ kind: 'choice', attribute: 'a', label: 'A', required: true, options: ['x', 'x'] }],
      'must not repeat an option',
    ],
    [[{ kind: 'choice', attribute: 'a', label: 'A', required: true, options: ['x'] }], 'at least 2'],
  ])('is no form such as %j', async (pre_chat, message) => {
    const { status, body } = await update({ pre_chat });
    expect(status).toBe(400);
    expect(body.error.message).toContain(message);
  });
});

describe('the usual waiting time', () => {
  const MINUTE_MS = 60_000;

  /** Chats that were handed over two hours ago, and answered after so many minutes, or never. */
  const handedOff = async (of: TestSite, answered: (number | null)[]): Promise<void> => {
    const { db } = app.app.database;
    for (const minutes of answered) {
      const { id } = await openChat({ url: app.url, publicKey: of.publicKey });
      const asked = new Date(Date.now() - 120 * MINUTE_MS);
      const chat = await db
        .updateTable('conversations')
        .set({ status: 'active', last_seq: 90 })
        .where('session_id', '=', id)
        .returning(['id', 'site_id'])
        .executeTakeFirstOrThrow();
      const own = { site_id: chat.site_id, conversation_id: chat.id };
      await db
        .insertInto('handoffs')
        .values({ ...own, reason: 'visitor_request', summary: '', created_at: asked })
        .execute();
      if (minutes === null) continue;
      const said = new Date(asked.getTime() + minutes * MINUTE_MS);
      await sql`
        insert into messages (site_id, conversation_id, seq, client_id, sender, text, created_at)
        values (${own.site_id}, ${own.conversation_id}, 90, ${randomUUID()}, 'agent', 'Hi', ${said})`.execute(
        db,
      );
    }
  };
  /** Computed without the cache, which keeps the value of handshakes for minutes. */
  const toldOf = (of: TestSite) => createReplyTimes(() => new Date()).secondsOf(of.operator);

  it('is the median of the real waits of the last weeks', async () => {
    const of = await app.makeSite();
    await handedOff(of, [2, 4, 6, 30, 50]);
    expect(await toldOf(of)).toBe(6 * 60);
  });

  it('is unknown if half were never answered, or if there were too few chats', async () => {
    const [silent, young] = [await app.makeSite(), await app.makeSite()];
    await handedOff(silent, [1, null, null, null, 2]);
    await handedOff(young, [1, 1, 1, 1]);
    expect(await toldOf(silent)).toBeNull();
    expect(await toldOf(young)).toBeNull();
  });
});

describe('an emailed chat', () => {
  const ask = (socket: TestSocket, session_id: string, email?: string) =>
    socket.call('chat.mail_transcript', { session_id, ...(email && { email }) });
  const mailsTo = (address: string) => mailbox.received.filter(({ to }) => to.includes(address));

  it('is sent to the first address that the visitor enters, and to no other after that', async () => {
    const mine = `${randomUUID()}@example.com`;
    const { socket, id } = await openChat(
      { url: app.url, publicKey: site.publicKey },
      '<b>Where</b> is it? https://shop.example/a"b',
    );
    expect(await ask(socket, id, mine)).toEqual({ email: mine });
    await until(async () => mailsTo(mine).length === 1);
    const [mail] = mailsTo(mine);
    expect(mail?.headers.subject).toContain('Lantern & Loom');
    expect(mail && shown(mail)).toContain('&lt;b&gt;Where&lt;/b&gt; is it?');
    expect(await ask(socket, id, 'stranger@example.com')).toEqual({ email: mine });
    await until(async () => mailsTo(mine).length === 2);
    expect(mailsTo('stranger@example.com')).toEqual([]);
  });

  it('shows the team’s messages formatted, and becomes a ticket in plain text', async () => {
    const mine = `${randomUUID()}@example.com`;
    const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey }, 'Is **this** a lamp?');
    const text = 'Ask **Mia** or read [Returns](https://shop.example/returns).';
    await app.desk(cookie, 'sessions.reply', { session_id: id, client_id: randomUUID(), text });
    await ask(socket, id, mine);
    await until(async () => mailsTo(mine).length === 1);
    const mail = mailsTo(mine).map(shown).join();
    expect(mail).toContain('Is **this** a lamp?');
    expect(mail).toContain('Ask Mia or read Returns (https://shop.example/returns).');
    expect(mail).toContain('<strong>Mia</strong>');
    const ticket = (await app.desk(cookie, 'tickets.create_from_chat', { session_id: id })).body.data;
    expect(ticket.description).toContain('Is **this** a lamp?');
    expect(ticket.description).toContain('Ask Mia or read Returns (https://shop.example/returns).');
  });

  it('is sent at most three times', async () => {
    const mine = `${randomUUID()}@example.com`;
    const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
    for (let time = 0; time < 3; time++) await ask(socket, id, mine);
    await expect(ask(socket, id, mine)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('is sent to one address at most five times a day, across all visitors', async () => {
    const theirs = `${randomUUID()}@example.com`;
    const asked = async () => {
      const { socket, id } = await openChat({ url: app.url, publicKey: site.publicKey });
      return ask(socket, id, theirs);
    };
    for (let time = 0; time < 5; time++) await asked();
    await expect(asked()).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('is not sent to the known address of a person if the visitor isn’t verified', async () => {
    const key = `user_${randomUUID()}`;
    const theirs = `${randomUUID()}@example.com`;
    await app.rest(site.write, 'POST', '/v1/visitors', { key, email: theirs });
    const { socket } = await TestSocket.visitor(app.url, site.publicKey, { key });
    const { session } = (await socket.call('chat.send', {
      session_id: null,
      client_id: randomUUID(),
      text: 'Hello',
    })) as { session: { session_id: string } };
    await expect(ask(socket, session.session_id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is not sent without an address, nor to a visitor who doesn’t have the chat', async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => openChat({ url: app.url, publicKey: site.publicKey })),
    );
    if (!one || !other) throw new Error('unreachable');
    await expect(ask(one.socket, one.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(ask(one.socket, other.id, 'a@example.com')).rejects.toMatchObject({ code: 'not_found' });
  });
});
