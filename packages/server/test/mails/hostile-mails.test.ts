import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAIL_MAX_BYTES } from '../../src/mime/limits.ts';
import { parseMail } from '../../src/mime/parse-mail.ts';
import { createGuardedFetch } from '../../src/net/guarded-fetch.ts';
import { createImageFetcher } from '../../src/tickets/mails/remote-images.ts';
import { type Json, startTestApp, type TestApp } from '../app.ts';
import { type LogRow, type MailDesk, mail, openMailDesk } from './mail-desk.ts';

// Hostile mails, from receipt to display: received, processed, and read over HTTP as the desk and REST show them.

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let app: TestApp;
let cookie: string;
let token: string;
let desk: MailDesk;
/** The sender's own server, and the requests that it gets. */
let pictures: Server;
let sender: string;
const asked: { path: string; headers: Record<string, unknown> }[] = [];

beforeAll(async () => {
  app = await startTestApp();
  const site = await app.makeSite();
  token = site.read;
  cookie = await app.signIn(site.admin.email);
  desk = await openMailDesk({ db: app.app.database.db, makeSite: async () => site.operator });
  pictures = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push({ path, headers: request.headers });
    if (path === '/moved.png') response.writeHead(302, { location: '/ok.png' }).end();
    else if (path === '/round.png') response.writeHead(302, { location: '/round.png' }).end();
    else if (path === '/huge.png') response.end(Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]));
    else if (path === '/svg.png') response.setHeader('content-type', 'image/png').end('<svg onload="x()"/>');
    else response.setHeader('content-type', 'text/html').end(PNG);
  });
  await new Promise<void>((listening) => pictures.listen(0, '127.0.0.1', listening));
  sender = `http://127.0.0.1:${(pictures.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await app.close();
  pictures.closeAllConnections();
  pictures.close();
});

let senders = 0;
/** Each from another sender, or the last ones would count as a flood. */
const html = (body: string): string => {
  const From = `Eve <eve@e${++senders}.example>`;
  return mail({ From, 'Content-Type': 'text/html; charset=utf-8' }, body);
};

/** A mail of parts; each is its headers and body. */
const parts = (type: string, list: readonly string[], headers: Record<string, string> = {}): string =>
  mail(
    { 'Content-Type': `multipart/${type}; boundary="b"`, ...headers },
    `${list.map((part) => `--b\n${part}`).join('\n')}\n--b--`,
  );

async function entryOf({ ticket_id }: LogRow): Promise<Json> {
  const { mails } = (await app.desk(cookie, 'tickets.mails', { id: ticket_id })).body.data;
  return mails[0];
}

async function shownOf(row: LogRow, remote_images = false): Promise<{ body: string; blocked: number }> {
  const { id } = await entryOf(row);
  const input = { ticket_id: row.ticket_id, mail_id: id, remote_images };
  const answer = await app.desk(cookie, 'tickets.mail_html', input);
  expect(answer.body).toMatchObject({ ok: true });
  const { data } = answer.body;
  expect(data.html).toContain(`default-src 'none'; img-src 'self' data:`);
  return { body: data.html.slice(data.html.indexOf('<body')), blocked: data.blocked_images };
}

const ticketOf = async ({ ticket_id }: LogRow): Promise<Json> =>
  (await app.rest(token, 'GET', `/v1/tickets?id=${ticket_id}`)).body.data;

/** Nothing of this may remain, however it was written. */
const FORBIDDEN =
  /<(?:script|style|link|meta|base|form|input|button|textarea|select|iframe|frame|object|embed|applet|svg|math|video|audio|source|picture|template|portal|marquee|noscript)\b|\son\w+\s*=|javascript:|vbscript:|data:text|srcset|srcdoc|url\(|@import|expression\(|-moz-binding|behavior:|\bposition:|http-equiv|e\.example/i;

const HOSTILE: [name: string, body: string][] = [
  ['a script', '<script>alert(1)</script><script src="https://e.example/x.js"></script>'],
  ['a script in capitals and pieces', '<SCRIPT/x>a()</SCRIPT><scr<script>ipt>a()</scr</script>ipt>'],
  ['event handlers', '<p onclick="a()" OnMouseOver=a()>x</p><body onload=a()><img src=x onerror=a()>'],
  ['a handler behind a slash', '<img/src="x"/onerror=a()><a/href="x"/onfocus=a() autofocus>x</a>'],
  [
    'a form',
    '<form action="https://e.example"><input name=password><button formaction="javascript:a()">x</button></form>',
  ],
  [
    'a style element',
    '<style>@import "https://e.example/x.css"; p{background:url(https://e.example/x)}</style>',
  ],
  [
    'a style sheet',
    '<link rel=stylesheet href="https://e.example/x.css"><link rel=preload as=image href="https://e.example/x">',
  ],
  [
    'styles that load',
    '<p style="background:url(https://e.example/x);background-image:image-set(\'https://e.example/y\' 1x)">x</p>',
  ],
  [
    'styles with escapes',
    '<p style="background:u\\72l(https://e.example/x)">x</p><p style="color:red;/**/background:url(https://e.example/x)">x</p>',
  ],
  [
    'styles that cover the desk',
    '<div style="position:fixed;inset:0;z-index:9">x</div><p style="width:expression(a())">x</p>',
  ],
  ['a base address', '<base href="https://e.example/"><a href="login">x</a>'],
  ['a redirect', '<meta http-equiv="refresh" content="0;url=https://e.example/">'],
  [
    'links that run',
    '<a href="javascript:a()">x</a><a href=" jav&#x09;ascript:a()">x</a><a href="vbscript:a()">x</a>',
  ],
  [
    'links with data',
    '<a href="data:text/html,<script>a()</script>">x</a><img src="data:text/html;base64,PHN2Zz4=">',
  ],
  [
    'SVG',
    '<svg onload=a()><script>a()</script><image href="https://e.example/x"/></svg><img src="data:image/svg+xml,<svg onload=a()>">',
  ],
  [
    'MathML',
    '<math><mtext><table><mglyph><style><img src=x onerror=a()></style></mglyph></table></mtext></math>',
  ],
  [
    'frames',
    '<iframe src="https://e.example"></iframe><iframe srcdoc="<script>a()</script>"></iframe><object data="https://e.example"></object><embed src="https://e.example">',
  ],
  [
    'media',
    '<video src="https://e.example/x" poster="https://e.example/y"></video><audio src="https://e.example/x"></audio>',
  ],
  [
    'picture sets',
    '<picture><source srcset="https://e.example/x"><img srcset="https://e.example/x 2x" alt="x"></picture>',
  ],
  [
    'backgrounds',
    '<table background="https://e.example/x"><tr><td background="https://e.example/y">x</td></tr></table>',
  ],
  ['a conditional comment', '<!--[if mso]><script>a()</script><![endif]--><!--><img src=x onerror=a()>-->'],
  [
    'broken nesting',
    '<noscript><p title="</noscript><img src=x onerror=a()>"></noscript><p title="<!--"><script>a()</script>',
  ],
  ['CDATA and instructions', '<![CDATA[<script>a()</script>]]><?xml-stylesheet href="https://e.example/x"?>'],
  ['a NUL and controls', '<scr\u0000ipt>a()</scr\u0000ipt><a href="java\u0001script:a()">x</a>'],
];

it.each(HOSTILE)('%s does nothing', async (name, attack) => {
  const row = await desk.receive(html(`<p>Hello from ${name}</p>${attack}`));
  expect(row.state).toBe('ticket');
  const { body } = await shownOf(row);
  expect(body).toContain(`Hello from ${name}`);
  expect(body).not.toMatch(FORBIDDEN);
  // The text is shown as text.
  const { description } = await ticketOf(row);
  expect(description).toContain(`Hello from ${name}`);
});

it('remote images are blocked, then loaded only through this server, and only if they are images', async () => {
  const names = ['ok', 'moved', 'round', 'huge', 'svg'];
  const row = await desk.receive(
    html(`<p>News</p>${names.map((name) => `<img width=1 src="${sender}/${name}.png">`).join('')}`),
  );
  const blocked = await shownOf(row);
  expect(blocked).toMatchObject({ blocked: 5 });
  expect(blocked.body).not.toContain(sender);
  expect(asked).toEqual([]);
  const { body } = await shownOf(row, true);
  const addresses = [...body.matchAll(/src="([^"]+)"/g)].map(([, src = '']) => src.replaceAll('&amp;', '&'));
  expect(addresses.every((src) => src.startsWith('/mail-images?'))).toBe(true);
  const answers = await Promise.all(addresses.map((src) => fetch(app.url + src)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404]);
  expect(Object.fromEntries(answers[0]?.headers ?? [])).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, max-age=3600',
  });
  for (const { headers } of asked) {
    expect(headers.cookie).toBeUndefined();
    expect(headers.referer).toBeUndefined();
  }
  const forged = (addresses[0] ?? '').replace(/url=.*/, `url=${encodeURIComponent(`${sender}/other.png`)}`);
  expect((await fetch(app.url + forged)).status).toBe(404);
});

it('images of private addresses are never fetched', async () => {
  const before = asked.length;
  const fetchImage = createImageFetcher(createGuardedFetch({ allowPrivate: false }));
  expect(await fetchImage(`${sender}/ok.png`)).toBeUndefined();
  expect(await fetchImage('file:///etc/passwd')).toBeUndefined();
  expect(asked).toHaveLength(before);
});

it('an inline image is shown from the mail’s own files; a file that only claims to be one is not', async () => {
  const file = (id: string, type: string, content: Buffer | string): string =>
    `Content-Type: ${type}\nContent-ID: <${id}>\nContent-Disposition: inline; filename="${id}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}`;
  const row = await desk.receive(
    parts('related', [
      'Content-Type: text/html\n\n<p>Look</p><img src="cid:good"><img src="cid:bad"><img src="cid:none" alt="gone">',
      file('good', 'image/png', PNG),
      file('bad', 'image/png', '<svg xmlns="http://www.w3.org/2000/svg" onload="a()"/>'),
    ]),
  );
  const { body } = await shownOf(row);
  const [good = '', bad = '', ...others] = [...body.matchAll(/src="([^"]+)"/g)].map(([, src = '']) =>
    src.replaceAll('&amp;', '&'),
  );
  expect(others).toEqual([]);
  expect(body).toContain('gone');
  const image = await fetch(app.url + good);
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
  expect((await fetch(app.url + bad)).status).toBe(404);
});

it('names of files can’t be paths and hide nothing, and files are downloads', async () => {
  const file = (name: string): string =>
    `Content-Type: text/html; ${name}\nContent-Disposition: attachment; ${name.replaceAll('name', 'filename')}\n\n<script>a()</script>`;
  const row = await desk.receive(
    parts('mixed', [
      'Content-Type: text/plain\n\nFiles',
      file('name="../../etc/passwd"'),
      file('name="=?utf-8?B?aW52b2ljZeKArmdwai5leGU=?="'),
      file(`name*0="a"; name*1="b.html"`),
      file(`name*=utf-8''na%C3%AFve%0D%0AX-Evil%3A%201.txt`),
      file(`name="${'x'.repeat(400)}.html"`),
    ]),
  );
  const { attachments } = await ticketOf(row);
  expect(attachments.map(({ name }: Json) => name)).toEqual([
    'passwd',
    'invoicegpj.exe',
    'ab.html',
    'naïve X-Evil_ 1.txt',
    `${'x'.repeat(195)}.html`,
  ]);
  const { pathname, search } = new URL(attachments[3].url);
  const download = await fetch(app.url + pathname + search);
  expect(Object.fromEntries(download.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-disposition': expect.stringMatching(/^attachment; filename="[^"\r\n]+"/),
  });
  expect(download.headers.get('x-evil')).toBeNull();
});

it('headers can’t be injected, and a name that looks like an address proves nothing', async () => {
  const row = await desk.receive(
    mail({
      From: `"${desk.address}" <evil@attacker.example>`,
      Subject: '=?utf-8?Q?Hello=0D=0ABcc:_victim@other.example=0D=0A=0D=0ABody?=',
    }),
  );
  expect(await ticketOf(row)).toMatchObject({ subject: 'Hello Bcc: victim@other.example Body' });
  expect(await entryOf(row)).toMatchObject({
    from: { name: desk.address, address: 'evil@attacker.example' },
    authentication: { aligned: false },
    cc: [],
    bcc: [],
  });
});

it('links open elsewhere, without a way back, and never into the desk', async () => {
  const row = await desk.receive(
    html(
      '<p>Links</p><a href="https://shop.example/a?b=1&amp;c=2" target="_top">out</a><a href="/app/settings">in</a><a href="//other.example">bare</a><a href="#x">here</a>',
    ),
  );
  const { body } = await shownOf(row);
  expect(body).toContain(
    '<a target="_blank" href="https://shop.example/a?b=1&amp;c=2" rel="noopener noreferrer nofollow">out</a><a>in</a><a>bare</a><a>here</a>',
  );
});

const nested = (depth: number): string => {
  let body = 'Content-Type: text/plain\n\nDeep';
  for (let at = 0; at < depth; at++)
    body = `Content-Type: multipart/mixed; boundary="n${at}"\n\n--n${at}\n${body}\n--n${at}--`;
  return body;
};
const LIMITS: [name: string, raw: () => string | Buffer, outcome: object][] = [
  ['a message without a byte', () => '', { state: 'rejected', reason: 'empty' }],
  ['headers without a sender', () => 'Subject: x\r\n\r\nx', { state: 'rejected', reason: 'no_sender' }],
  [
    '300 parts',
    () =>
      parts(
        'mixed',
        Array.from({ length: 299 }, (_, at) => `Content-Type: text/plain\n\n${at}`),
      ),
    { state: 'ticket' },
  ],
  [
    'more than 300 parts',
    () =>
      parts(
        'mixed',
        Array.from({ length: 301 }, () => 'Content-Type: text/plain\n\nx'),
      ),
    { state: 'rejected', reason: 'too_many_parts' },
  ],
  [
    'parts within parts within parts',
    () => `From: a@b.example\n${nested(60)}`,
    { state: 'rejected', reason: 'nested_too_deeply' },
  ],
  [
    'headers without end',
    () => mail({ 'X-Long': `${'x'.repeat(900)}\r\n `.repeat(700) }),
    { state: 'rejected', reason: 'headers_too_large' },
  ],
  ['HTML that is nested without end', () => html('<div>'.repeat(200_000)), { state: 'ticket' }],
];

it('25 MB are read, and a byte more is refused', async () => {
  const file = Buffer.alloc(18 * 1024 * 1024, 'x');
  const whole = parts('mixed', [
    'Content-Type: text/plain\n\nLarge',
    `Content-Type: application/pdf; name=a.pdf\nContent-Transfer-Encoding: base64\n\n${file.toString('base64')}`,
  ]);
  const parsed = await parseMail(Buffer.from(whole));
  expect(parsed.files[0]?.content.length).toBe(file.length);
  await expect(parseMail(Buffer.alloc(MAIL_MAX_BYTES + 1, 'x'))).rejects.toMatchObject({
    reason: 'too_large',
  });
});

it.each(LIMITS)('%s has a clear outcome', async (_name, raw, outcome) => {
  const row = await desk.receive(raw());
  expect(row).toMatchObject(outcome);
  if (row.state === 'rejected') expect(row.detail).toMatch(/^[A-Z].*\.$/);
});
