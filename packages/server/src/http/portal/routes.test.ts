import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { hashSecret } from '../../base/secret-token.ts';

let app: TestApp;
let site: TestSite;
let now = (): Date => new Date();
beforeAll(async () => {
  app = await startTestApp({}, { now: () => now() });
});
// Limits are counted by address; these tests all come from one.
beforeEach(async () => {
  site = await app.makeSite();
});
afterAll(() => app.close());

const made = async (resource: string, body: object): Promise<Json> => {
  const answer = await app.rest(site.write, 'POST', `/v1/${resource}`, body);
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
};
const makeTicket = async (parts: object = {}): Promise<number> =>
  (
    await made('tickets', {
      subject: 'A <b>cracked</b> shade',
      body: 'It came "cracked" & bent.',
      requester: { key: `user_${randomUUID()}`, name: 'Priya', email: 'priya@visitor.example' },
      ...parts,
    })
  ).id;
const makeLink = async (ticketId: number, parts: object = {}): Promise<{ id: number; token: string }> =>
  made('portal_token', { ticket_id: ticketId, ...parts });
const replyAs = (ticketId: number, parts: object): Promise<Json> =>
  made('ticket_reply', { ticket_id: ticketId, type: 'public', body: 'Hello', ...parts });

interface Page {
  status: number;
  headers: Headers;
  html: string;
}
const visit = async (path: string, init: RequestInit = {}): Promise<Page> => {
  const response = await fetch(app.url + path, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, html: await response.text() };
};
const formOf = (
  fields: Record<string, string>,
  files: { name: string; content: string | Buffer; type?: string }[] = [],
): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const { name, content, type } of files)
    form.append('files', new Blob([new Uint8Array(Buffer.from(content))], { type: type ?? '' }), name);
  return form;
};
const send = (token: string, form: FormData): Promise<Page> =>
  visit(`/portal/${token}`, { method: 'POST', body: form });
const repliesOf = async (ticketId: number): Promise<Json[]> =>
  (await app.rest(site.read, 'GET', `/v1/tickets?id=${ticketId}`)).body.data.replies;

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
};

describe('the portal page', () => {
  it('shows the ticket, its public replies and nothing else, as text', async () => {
    const ticketId = await makeTicket({ tags: ['hidden-tag'], assignee_id: site.admin.agentId });
    await replyAs(ticketId, { body: 'We are <i>sorry</i>.', status: 'pending' });
    await replyAs(ticketId, { type: 'note', body: 'SECRET-NOTE', attachments: [file('secret-file.txt')] });
    const { token } = await makeLink(ticketId);
    const page = await visit(`/portal/${token}`);
    expect(page.status).toBe(200);
    for (const [name, value] of Object.entries(PAGE_HEADERS))
      expect(page.headers.get(name), name).toBe(value);
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'self'/,
    );
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(page.html.match(/<script>/g)).toHaveLength(1);
    expect(page.headers.get('set-cookie')).toBeNull();
    expect(page.html).toContain('A &lt;b&gt;cracked&lt;/b&gt; shade');
    expect(page.html).toContain('It came &quot;cracked&quot; &amp; bent.');
    expect(page.html).toContain('We are &lt;i&gt;sorry&lt;/i&gt;.');
    expect(page.html).toContain('Waiting for your reply');
    expect(page.html).toMatch(
      /<time datetime="\d{4}-\d\d-\d\dT[\d:.]+Z">\d+ \w+ \d{4} at \d\d:\d\d UTC<\/time>/,
    );
    expect(page.html).toContain('<meta name="robots" content="noindex, nofollow">');
    // The token's name, `write`, is for the team only.
    for (const hidden of ['SECRET-NOTE', 'secret-file', 'hidden-tag', 'Ada', 'style=', '>write<'])
      expect(page.html, hidden).not.toContain(hidden);
  });

  it('shows the team’s text with its emphasis, lists and links, and the customer’s text literally', async () => {
    const words = 'Ask **Mia** or read [Returns](https://shop.example/returns).\n\n- one\n- two';
    const ticketId = await makeTicket({ body: words });
    await replyAs(ticketId, { body: words });
    const { token } = await makeLink(ticketId);
    const { html } = await visit(`/portal/${token}`);
    const [asked = '', answered = ''] = html.split('<li class="entry team"');
    expect(asked).toContain('Ask **Mia** or read [Returns](<a href="https://shop.example/returns"');
    expect(answered).toContain('<strong>Mia</strong>');
    expect(answered).toContain(
      '<a href="https://shop.example/returns" rel="noopener noreferrer">Returns</a>',
    );
    expect(answered).toContain('<ul>\n<li>one</li>\n<li>two</li>\n</ul>');
    expect(answered).not.toContain('**');
  });

  it('shows its times in the zone of the site, and names it', async () => {
    await app.desk(await app.signIn(site.admin.email), 'site.update', { time_zone: 'Asia/Kolkata' });
    const { token } = await makeLink(await makeTicket());
    expect((await visit(`/portal/${token}`)).html).toMatch(/ at \d\d:\d\d GMT\+5:30<\/time>/);
  });

  it.each([
    ['new', 'We’ve received your request'],
    ['open', 'We’re working on it'],
    ['pending', 'Waiting for your reply'],
    ['hold', 'On hold'],
    ['solved', 'Solved'],
  ])('says of a ticket that is %s: %s', async (status, words) => {
    const ticketId = await makeTicket();
    if (status !== 'new') await app.rest(site.write, 'PATCH', `/v1/tickets?id=${ticketId}`, { status });
    const { token } = await makeLink(ticketId);
    expect((await visit(`/portal/${token}`)).html).toContain(`<strong>${words}</strong>`);
  });

  it('is in the site’s language, and without a site in that of the reader', async () => {
    const ticketId = await makeTicket();
    const { token } = await makeLink(ticketId);
    const speak = (language: 'ar' | 'en') =>
      app.app.database.db.updateTable('sites').set({ language }).where('id', '=', site.site.id).execute();
    await speak('ar');
    const page = await visit(`/portal/${token}`);
    const refused = await send(token, formOf({ text: ' ' }));
    await speak('en');
    expect(page.html).toContain('<html lang="ar" dir="rtl">');
    expect(page.html).toContain('لقد استلمنا طلبك');
    expect(refused.html).toContain('اكتب رسالة من فضلك.');
    expect(page.html + refused.html).not.toMatch(/Your reply|Attach files|Anyone with/);
    const nowhere = await visit('/portal/nothing', { headers: { 'accept-language': 'de-AT,en;q=0.5' } });
    expect(nowhere.html).toContain('Seite nicht gefunden');
  });

  it('shows the newest of a very long ticket, and says how many are earlier', async () => {
    const ticketId = await makeTicket();
    for (let at = 1; at <= 15; at += 1) await replyAs(ticketId, { body: `No. ${at}. ${'x'.repeat(49_000)}` });
    const { token } = await makeLink(ticketId);
    const { html } = await visit(`/portal/${token}`);
    expect(html.length).toBeLessThan(700_000);
    expect(html).toContain('4 earlier messages aren’t shown.');
    expect([...html.matchAll(/No\. (\d+)\./g)].map(([, at]) => Number(at))).toEqual([
      5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
    ]);
  });

  it('loads its style in the colour of the site, from an address that changes with it', async () => {
    const { token } = await makeLink(await makeTicket());
    const { html } = await visit(`/portal/${token}`);
    const sheet = /<link rel="stylesheet" href="([^"]+)">/.exec(html)?.[1] ?? '';
    const style = await visit(sheet);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.headers.get('cache-control')).toContain('immutable');
    expect(style.html).toContain('--accent-light:');
    for (const file of ['x.css', 'zzzzzz-0123456789ab.css', '../portal.css'])
      expect((await visit(`/assets/portal/${file}`)).status, file).toBe(404);
  });

  it('does not exist for an unknown token, and queries nothing for a malformed one', async () => {
    for (const token of [
      'x',
      'A'.repeat(43),
      'A'.repeat(44),
      `${'A'.repeat(42)}%2F`,
      "' or 1=1 --",
      '%00'.repeat(43),
    ]) {
      const page = await visit(`/portal/${encodeURI(token)}`);
      expect([page.status, page.headers.get('content-type')], token).toEqual([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('says that a link was revoked or has expired, without the ticket, and accepts no answer through it', async () => {
    const ticketId = await makeTicket();
    const revoked = await makeLink(ticketId);
    await app.rest(site.write, 'DELETE', `/v1/portal_token?id=${revoked.id}`);
    const expired = await makeLink(ticketId, { expires_in_hours: 1 });
    const { db } = app.app.database;
    await sql`update portal_links set expires_at = now() - interval '1 second' where id = ${expired.id}`.execute(
      db,
    );
    const reply = await replyAs(ticketId, { attachments: [file('label.txt')] });
    for (const [{ token }, words] of [
      [revoked, 'has deactivated it'],
      [expired, 'It has expired'],
    ] as const) {
      for (const page of [
        await visit(`/portal/${token}`),
        await visit(`/portal/${token}/attachments/${reply.attachments[0].id}`),
        await send(token, formOf({ answer_id: randomUUID(), text: 'Too late' })),
        await visit(`/portal/${token}`, { method: 'POST', body: 'text=x' }),
      ]) {
        expect(page.status).toBe(410);
        expect(page.html).toContain(words);
        expect(page.html).not.toContain('cracked');
      }
    }
    // The customer's text isn't lost: the page shows it.
    const late = await send(expired.token, formOf({ text: 'Written <too> late' }));
    expect(late.html).toContain('Written &lt;too&gt; late</textarea>');
    expect(late.html).toContain('wasn’t sent');
    expect(await repliesOf(ticketId)).toHaveLength(1);
  });

  it('opens until its last millisecond, and not at the moment in which it expires', async () => {
    const link = await made('portal_token', { ticket_id: await makeTicket(), expires_in_hours: 1 });
    const statusAt = async (ms: number): Promise<number> => {
      now = () => new Date(ms);
      return (await visit(`/portal/${link.token}`)).status;
    };
    const end = Date.parse(link.expires_utc);
    const statuses = [await statusAt(end - 1), await statusAt(end)];
    now = () => new Date();
    expect(statuses).toEqual([200, 410]);
  });

  it('keeps the token out of the database', async () => {
    const { token, id } = await makeLink(await makeTicket());
    const { db } = app.app.database;
    const row = await db
      .selectFrom('portal_links')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(row.token_hash).toEqual(hashSecret(token));
    expect(JSON.stringify(row)).not.toContain(token);
  });

  it('leaves the time of its last use in the list of links', async () => {
    const ticketId = await makeTicket();
    const { token } = await makeLink(ticketId);
    const list = async () =>
      (await app.rest(site.read, 'GET', `/v1/portal_token?ticket_id=${ticketId}`)).body.data;
    expect((await list())[0].last_used_utc).toBeNull();
    await visit(`/portal/${token}`);
    const [link] = await list();
    expect(link.last_used_utc).toMatch(/Z$/);
    expect(Object.keys(link).sort()).toEqual([
      'created_utc',
      'expires_utc',
      'id',
      'last_used_utc',
      'ticket_id',
    ]);
  });
});

const file = (name: string, content = 'content') => ({
  name,
  content: Buffer.from(content).toString('base64'),
});

describe('an answer through the portal', () => {
  it('is stored as the requester’s, with its files, and redirects back to the page', async () => {
    const ticketId = await makeTicket();
    await replyAs(ticketId, { status: 'pending' });
    const { token } = await makeLink(ticketId);
    const answer = formOf({ answer_id: randomUUID(), text: '  Here it is.\r\n\r\nPriya ' }, [
      { name: '../../صورة.html', content: '<script>alert(1)</script>', type: 'text/html' },
      { name: 'empty.txt', content: '' },
    ]);
    const sent = await send(token, answer);
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/portal/${token}?sent=1`]);
    const [, reply] = await repliesOf(ticketId);
    expect(reply).toMatchObject({
      type: 'public',
      body: 'Here it is.\n\nPriya',
      author: { type: 'requester', id: null, name: 'Priya' },
    });
    expect(reply.attachments.map(({ name, size }: Json) => [name, size])).toEqual([
      ['صورة.html', 25],
      ['empty.txt', 0],
    ]);
    const ticket = (await app.rest(site.read, 'GET', `/v1/tickets?id=${ticketId}`)).body.data;
    expect(ticket.status).toBe('open');
    const page = await visit(`/portal/${token}?sent=1`);
    expect(page.html).toContain('Your reply has been sent.');
    const [, path = ''] = /href="(\/portal\/[^"]+\/attachments\/\d+)"/.exec(page.html) ?? [];
    const download = await visit(path);
    expect(download.status).toBe(200);
    expect(download.html).toBe('<script>alert(1)</script>');
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="____.html"; filename*=UTF-8''%D8%B5%D9%88%D8%B1%D8%A9.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private',
    });
  });

  it('is stored once, however often and at once its form is sent', async () => {
    const ticketId = await makeTicket();
    const { token } = await makeLink(ticketId);
    const form = () =>
      formOf({ answer_id: '0190b6f0-1111-7111-8111-111111111111', text: 'Once' }, [
        { name: 'a.txt', content: 'a' },
      ]);
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(token, form())));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
    expect(await repliesOf(ticketId)).toHaveLength(1);
    // A customer who goes back and writes another text sends another answer.
    await send(token, formOf({ answer_id: '0190b6f0-1111-7111-8111-111111111111', text: 'Twice' }));
    expect((await repliesOf(ticketId)).map(({ body }) => body)).toEqual(['Once', 'Twice']);
  });

  it.each([
    [
      'nothing written',
      () => formOf({ text: '   ' }, [{ name: 'a.txt', content: 'a' }]),
      400,
      'Please write a message',
    ],
    ['too much written', () => formOf({ text: 'x'.repeat(50_001) }), 400, '50,001 characters'],
    [
      'eleven files',
      () =>
        formOf(
          { text: 'Kept text' },
          Array.from({ length: 11 }, (_, at) => ({ name: `${at}.txt`, content: 'x' })),
        ),
      400,
      'You chose 11 files',
    ],
    [
      'a file over 10 MB',
      () =>
        formOf({ text: 'Kept text' }, [{ name: 'big<.bin', content: Buffer.alloc(10 * 1024 * 1024 + 1) }]),
      400,
      '“big&lt;.bin” is larger than 10 MB',
    ],
    [
      'files over 25 MB together',
      () =>
        formOf(
          { text: 'Kept text' },
          [1, 2, 3].map((at) => ({ name: `${at}`, content: Buffer.alloc(9_000_000) })),
        ),
      400,
      'Together, the files are larger than 25 MB',
    ],
  ])(
    'with %s shows the page again, gives the reason and keeps the text',
    async (_what, form, status, words) => {
      const ticketId = await makeTicket();
      const { token } = await makeLink(ticketId);
      const page = await send(token, form());
      expect(page.status).toBe(status);
      expect(page.html).toContain(words);
      expect(page.html).toContain('Your reply wasn’t sent.');
      if (form().get('text') === 'Kept text') expect(page.html).toContain('Kept text</textarea>');
      expect(await repliesOf(ticketId)).toEqual([]);
    },
  );

  it('accepts a file of exactly 10 MB', async () => {
    const ticketId = await makeTicket();
    const { token } = await makeLink(ticketId);
    const content = Buffer.alloc(10 * 1024 * 1024, 'ab');
    expect((await send(token, formOf({ text: 'All of it' }, [{ name: 'a.bin', content }]))).status).toBe(303);
    const [reply] = await repliesOf(ticketId);
    const { pathname, search } = new URL(reply.attachments[0].url);
    const back = Buffer.from(await (await fetch(app.url + pathname + search)).arrayBuffer());
    expect(back.equals(content)).toBe(true);
  });

  it.each([
    ['another kind of body', 'application/json', '{"text":"x"}', 415],
    ['a form without files', 'application/x-www-form-urlencoded', 'text=x', 415],
    ['multipart without a boundary', 'multipart/form-data', 'x', 400],
    [
      'multipart that ends in the middle',
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="text"\r\n\r\nhal',
      400,
    ],
    ['no type at all', '', 'x', 415],
  ])('refuses %s with the page', async (_what, type, body, status) => {
    const ticketId = await makeTicket();
    const { token } = await makeLink(ticketId);
    const headers = { 'content-type': type };
    const page = await visit(`/portal/${token}`, { method: 'POST', body: Buffer.from(body), headers });
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.html).toContain('Your reply wasn’t sent.');
    expect(await repliesOf(ticketId)).toEqual([]);
  });

  it('is refused at once if its body announces far too many bytes', async () => {
    const { token } = await makeLink(await makeTicket());
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const asked = request(`${app.url}/portal/${token}`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 500_000_000 },
      });
      asked.on('response', (response) => {
        resolve(response.statusCode);
        asked.destroy();
      });
      asked.on('error', reject);
      asked.write('--x\r\n');
    });
    expect(status).toBe(413);
  });

  it('of a blocked requester is refused, and the page says so instead of showing a form', async () => {
    const key = `user_${randomUUID()}`;
    const ticketId = await makeTicket({ requester: { key, name: 'Priya' } });
    const { token } = await makeLink(ticketId);
    const cookie = await app.signIn(site.admin.email);
    await app.desk(cookie, 'visitors.block', { key });
    const refused = await send(token, formOf({ answer_id: randomUUID(), text: 'Hear me.' }));
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('The team isn’t accepting messages from you here.');
    expect(await repliesOf(ticketId)).toEqual([]);
    const page = await visit(`/portal/${token}`);
    expect(page.html).toContain('The team isn’t accepting messages from you here.');
    expect(page.html).not.toContain('<form');
    await app.desk(cookie, 'visitors.unblock', { key });
    expect((await send(token, formOf({ answer_id: randomUUID(), text: 'Hear me.' }))).status).toBe(303);
  });

  it('to a closed ticket begins another one and redirects there; sent again it leads to the same', async () => {
    const ticketId = await makeTicket();
    const { token } = await makeLink(ticketId);
    const { db } = app.app.database;
    await sql`update tickets set status = 'closed', solved_at = now() where id = ${ticketId}`.execute(db);
    expect((await visit(`/portal/${token}`)).html).toMatch(
      /Closed[\s\S]*start a new request[\s\S]*Send as a new request/,
    );
    const form = () => formOf({ answer_id: '0190b6f0-2222-7222-8222-222222222222', text: 'It broke again' });
    const sent = await send(token, form());
    const again = await send(token, form());
    expect([sent.status, again.status]).toEqual([303, 303]);
    const pages = [];
    for (const { headers } of [sent, again]) {
      const location = headers.get('location') ?? '';
      expect(location).toMatch(/^\/portal\/[\w-]{43}\?sent=1$/);
      expect(location).not.toContain(token);
      pages.push((await visit(location)).html);
    }
    for (const html of pages) {
      expect(html).toContain('It broke again');
      expect(html).toContain(`Request ${ticketId} is closed`);
    }
    const tickets = (await app.rest(site.read, 'GET', '/v1/tickets')).body.data;
    expect(tickets.filter(({ follow_up_of }: Json) => follow_up_of === ticketId)).toHaveLength(1);
    expect(await repliesOf(ticketId)).toEqual([]);
  });

  it('is limited for a link, with a page that says when to continue', async () => {
    const { token } = await makeLink(await makeTicket());
    const limited = await (async () => {
      for (;;) {
        const page = await send(token, formOf({ text: '' }));
        if (page.status !== 400) return page;
      }
    })();
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.html).toContain('Too many requests');
  });
});

describe('the content that a link opens', () => {
  it('is the files of its ticket’s public replies, and no other file or record by any address', async () => {
    const [own, other] = [await makeTicket(), await makeTicket({ subject: 'OTHER-TICKET' })];
    const shown = await replyAs(own, { attachments: [file('own.txt', 'own')] });
    await replyAs(own, { type: 'note', body: 'NOTE', attachments: [file('note.txt', 'note')] });
    await replyAs(other, { attachments: [file('other.txt', 'other')] });
    const elsewhere = site;
    site = await app.makeSite();
    await replyAs(await makeTicket(), { attachments: [file('foreign.txt', 'foreign')] });
    site = elsewhere;
    const { token } = await makeLink(own);
    const { id: mine } = shown.attachments[0];
    const opened: number[] = [];
    for (let id = Math.max(1, mine - 5); id < mine + 6; id += 1) {
      const page = await visit(`/portal/${token}/attachments/${id}`);
      if (page.status === 200) opened.push(id);
      else expect([page.status, page.html.includes('Page not found')]).toEqual([404, true]);
    }
    expect(opened).toEqual([mine]);
    for (const id of ['0', '-1', '01', '1e1', 'x', '9'.repeat(30), `${mine}%20`, `${mine};`, '%27'])
      expect((await visit(`/portal/${token}/attachments/${id}`)).status, id).toBe(404);
    for (const path of [
      '',
      '/',
      '/notes',
      '/attachments',
      '/attachments/',
      `/../${token}`,
      '/tickets',
      `?id=${other}`,
      '?ticket_id=1',
    ]) {
      const page = await visit(`/portal/${token}${path}`);
      for (const hidden of ['NOTE', 'OTHER-TICKET', 'note.txt', 'foreign.txt'])
        expect(page.html, path).not.toContain(hidden);
    }
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await visit(`/portal/${token}`, { method })).status, method).toBe(404);
  });

  it('is nothing once the ticket is deleted', async () => {
    const ticketId = await makeTicket();
    const reply = await replyAs(ticketId, { attachments: [file('a.txt')] });
    const { token } = await makeLink(ticketId);
    await app.rest(site.write, 'DELETE', `/v1/tickets?id=${ticketId}`);
    expect((await visit(`/portal/${token}`)).status).toBe(404);
    const { pathname, search } = new URL(reply.attachments[0].url);
    expect((await visit(pathname + search)).status).toBe(404);
  });

  it('is nothing once its requester was erased, whose files are gone and the team’s are not', async () => {
    const key = `user_${randomUUID()}`;
    const ticketId = await makeTicket({ requester: { key, name: 'Priya', email: 'priya@visitor.example' } });
    await replyAs(ticketId, { attachments: [file('ours.txt')] });
    const { token } = await makeLink(ticketId);
    await send(token, formOf({ text: 'Mine' }, [{ name: 'passport.png', content: 'x' }]));
    await app.rest(site.write, 'DELETE', `/v1/visitors?key=${key}`);
    const names = (await repliesOf(ticketId)).flatMap(({ attachments }) =>
      attachments.map(({ name }: Json) => name),
    );
    expect(names).toEqual(['ours.txt']);
    expect((await visit(`/portal/${token}`)).status).toBe(410);
  });
});
