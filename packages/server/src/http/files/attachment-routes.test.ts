import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';

let app: TestApp;
let site: TestSite;
let ticketId: number;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  const { body } = await app.rest(site.write, 'POST', '/v1/tickets', {
    subject: 'The lamp',
    body: 'It broke.',
    requester: { key: 'user_1' },
  });
  ticketId = body.data.id;
});
afterAll(() => app.close());

const reply = (attachments: unknown, parts: object = {}) =>
  app.rest(site.write, 'POST', '/v1/ticket_reply', {
    ticket_id: ticketId,
    type: 'public',
    body: 'Here',
    attachments,
    ...parts,
  });
const download = async (url: string): Promise<Response> => {
  const { pathname, search } = new URL(url);
  return fetch(app.url + pathname + search);
};

describe('files of a reply', () => {
  it('are served by signed links, byte for byte, as downloads of no type', async () => {
    const bytes = Buffer.from([0, 255, 1, 254, ...Buffer.from('<script>alert(1)</script>')]);
    const { status, body } = await reply([
      { name: '../evil"\r\n.html', content_type: 'text/HTML; charset=x', content: bytes.toString('base64') },
      { name: 'empty', content: '' },
    ]);
    expect(status).toBe(201);
    const [file, empty] = body.data.attachments;
    expect(file).toEqual({
      id: expect.any(Number),
      name: 'evil_ .html',
      content_type: 'text/html',
      size: bytes.length,
      url: expect.stringMatching(
        /^http:\/\/localhost:\d+\/attachments\/\d+-\d+\?expires=\d+&signature=[\w-]{43}$/,
      ),
    });
    const got = await download(file.url);
    expect(Buffer.from(await got.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(got.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="evil_ .html"; filename*=UTF-8''evil_%20.html`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private',
    });
    expect(empty).toMatchObject({ name: 'empty', content_type: 'application/octet-stream', size: 0 });
    expect(await (await download(empty.url)).text()).toBe('');
    const shown = (await app.rest(site.read, 'GET', `/v1/tickets?id=${ticketId}`)).body.data.replies.at(-1);
    expect(shown.attachments.map(({ id, name }: Json) => [id, name])).toEqual([
      [file.id, 'evil_ .html'],
      [empty.id, 'empty'],
    ]);
  });

  it('are not served for a link that was not signed this way', async () => {
    const { body } = await reply([{ name: 'a.txt', content: 'eA==' }]);
    const [{ id, url }] = body.data.attachments;
    const good = new URL(url);
    const [expires, signature] = [good.searchParams.get('expires'), good.searchParams.get('signature')];
    const path = good.pathname;
    for (const bad of [
      path,
      `${path}?expires=${expires}`,
      `${path}?expires=${expires}&signature=`,
      `${path}?expires=${Number(expires) + 1}&signature=${signature}`,
      `${path}?expires=0${expires}&signature=${signature}`,
      `${path}?expires=${expires}&signature=${signature?.slice(0, -1)}`,
      `${path.replace(`-${id}`, `-${id - 1}`)}?expires=${expires}&signature=${signature}`,
      `${path}-1?expires=${expires}&signature=${signature}`,
      `/attachments/${id}?expires=${expires}&signature=${signature}`,
      `/attachments/x-y?expires=${expires}&signature=${signature}`,
    ]) {
      const answer = await app.rest(undefined, 'GET', bad);
      expect([answer.status, answer.body.error?.code], bad).toEqual([404, 'not_found']);
    }
    expect((await download(url)).status).toBe(200);
  });

  it.each([
    ['eleven of them', Array.from({ length: 11 }, () => ({ name: 'a', content: '' })), 'attachments'],
    ['no list', { name: 'a', content: '' }, 'attachments'],
    ['what is not base64', [{ name: 'a', content: '%%%' }], 'attachments.0.content'],
    ['no name', [{ content: '' }], 'attachments.0.name'],
    ['an empty name', [{ name: ' ', content: '' }], 'attachments.0.name'],
    ['no content', [{ name: 'a' }], 'attachments.0.content'],
    ['another field', [{ name: 'a', content: '', url: 'http://x' }], 'attachments.0.url'],
  ])('are refused when they are %s', async (_what, attachments, path) => {
    const answer = await reply(attachments);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_input']);
    expect(answer.body.error.issues.map((issue: Json) => issue.path)).toContain(path);
  });

  it('are stored completely if the body has at most 1 MiB, else not at all', async () => {
    const answer = await reply([{ name: 'a', content: Buffer.alloc(800_000).toString('base64') }]);
    expect([answer.status, answer.body.error.code]).toEqual([413, 'payload_too_large']);
    const fits = await reply([{ name: 'a', content: Buffer.alloc(700_000).toString('base64') }]);
    expect(fits.body.data.attachments[0].size).toBe(700_000);
  });

  it('are not stored when the reply is refused', async () => {
    const count = async () =>
      (await app.app.database.pool.query('select count(*)::int as n from attachments')).rows[0].n;
    const before = await count();
    const answer = await reply([{ name: 'a', content: 'eA==' }], { status: 'closed' });
    expect(answer.status).toBe(409);
    expect(await count()).toBe(before);
  });
});
