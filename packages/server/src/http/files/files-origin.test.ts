import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { readConfig } from '../../config.ts';

const MAIN = 'chat.example.com';
const FILES = 'files.example.net';
const environment = { FOYER_BASE_URL: `https://${MAIN}`, FOYER_FILES_URL: `https://${FILES}/` };

let app: TestApp;
let site: TestSite;
beforeAll(async () => {
  app = await startTestApp(environment);
  site = await app.makeSite();
});
afterAll(() => app.close());

/** Asks as a browser that knows the server by this name. */
const ask = (host: string, path: string, method = 'GET') =>
  new Promise<{ status: number; headers: Json; body: string }>((resolve, reject) => {
    const sent = request(app.url + path, { method, headers: { host } }, async (response) => {
      let body = '';
      for await (const part of response) body += part;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    sent.on('error', reject).end();
  });

async function attach(): Promise<{ url: URL; portal: string }> {
  const ticket = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'The lamp',
    body: 'It broke.',
    requester: { key: 'user_1' },
  });
  const reply = await app.rest(site.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticket.body.data.id,
    type: 'public',
    body: 'Here',
    attachments: [{ name: 'page.html', content: Buffer.from('<script>').toString('base64') }],
  });
  const link = await app.rest(site.write, 'POST', '/v1/portal_token', { ticket_id: ticket.body.data.id });
  const [file] = reply.body.data.attachments;
  return { url: new URL(file.url), portal: `${new URL(link.body.data.url).pathname}/attachments/${file.id}` };
}

test('links to files lead to their own host, and links on the main one redirect there', async () => {
  const { url, portal } = await attach();
  expect(url.origin).toBe(`https://${FILES}`);
  const path = url.pathname + url.search;
  const file = await ask(FILES, path);
  expect(file).toMatchObject({ status: 200, body: '<script>' });
  expect(file.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(file.headers['set-cookie']).toBeUndefined();

  for (const host of [MAIN, 'localhost', `${FILES}:8443`]) {
    const moved = await ask(host, path);
    expect(moved, host).toMatchObject({ status: 307, body: '', headers: { location: url.href } });
  }
  const escaped = await ask(MAIN, path.replace('/attachments', '/%61ttachments'));
  expect(escaped.status).toBe(307);
  const throughPortal = await ask(MAIN, portal);
  expect(throughPortal).toMatchObject({ status: 302, body: '' });
  expect(throughPortal.headers.location).toContain(`https://${FILES}${url.pathname}?`);
});

test('their host serves nothing else', async () => {
  const { portal } = await attach();
  for (const path of [
    '/',
    '/app/',
    '/v1/whoami',
    '/healthz',
    '/widget/config',
    '/assets/js/visitor-sdk.js',
    portal,
  ]) {
    const { status, headers } = await ask(FILES, path);
    expect(status, path).toBe(404);
    expect(headers['set-cookie'], path).toBeUndefined();
  }
  expect((await ask(FILES, '/app/auth/sign-in/email', 'POST')).status).toBe(404);
  expect((await ask(MAIN, '/v1/whoami')).status).toBe(401);
});

test('desk and widget may show images from there, and from nowhere else', async () => {
  for (const path of ['/app/', `/widget/${site.publicKey}`]) {
    const { headers } = await ask(MAIN, path);
    const images = /img-src ([^;]*)/.exec(headers['content-security-policy'])?.[1]?.trim().split(/\s+/);
    expect(images, path).toEqual(["'self'", 'data:', 'blob:', `https://${FILES}`]);
  }
});

test('a host that shares the desk’s cookies is refused at the start', () => {
  const config =
    (files: string, base = `https://${MAIN}`) =>
    () =>
      readConfig({ FOYER_BASE_URL: base, FOYER_FILES_URL: files });
  expect(config(`https://${MAIN}:8443`)).toThrow('a host other than that of FOYER_BASE_URL');
  expect(config(`https://${FILES}/files`)).toThrow('an origin such as');
  expect(config(`https://${FILES}`, '')).toThrow('invalid without FOYER_BASE_URL');
  expect(config(`https://${FILES}`)().filesUrl).toBe(`https://${FILES}`);
});
