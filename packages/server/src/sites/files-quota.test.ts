import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { TestSocket } from '../../test/sockets.ts';
import type { SiteContext } from '../core/context.ts';
import { createFilesQuota } from './files-quota.ts';

let app: TestApp;
let time = Date.now();
beforeAll(async () => {
  app = await startTestApp({ FOYER_SITE_FILES_MB: '1' }, { now: () => new Date(time) });
});
afterAll(() => app.close());

const KIB_700 = Buffer.alloc(700 * 1024, 'a');

async function visitorOf(site: TestSite) {
  const { welcome } = await TestSocket.visitor(app.url, site.publicKey);
  const at = (id: string) => `${app.url}/widget/uploads/${id}?site=${site.publicKey}&name=a.txt`;
  const headers = { authorization: `Bearer ${welcome.token}`, 'content-type': 'text/plain' };
  return {
    upload: async (id = randomUUID()) => {
      const response = await fetch(at(id), { method: 'PUT', headers, body: KIB_700 });
      return { id, status: response.status, body: (await response.json()) as Json };
    },
    drop: (id: string) => fetch(at(id), { method: 'DELETE', headers }),
  };
}

test('a site’s files don’t exceed its quota, those of another site have their own, and admins see it', async () => {
  const site = await app.makeSite();
  const visitor = await visitorOf(site);
  const first = await visitor.upload();
  expect(first.status).toBe(201);
  const second = await visitor.upload();
  expect(second).toMatchObject({
    status: 429,
    body: { error: { code: 'rate_limited', message: 'This site’s storage for files is full.' } },
  });
  expect((await (await visitorOf(await app.makeSite())).upload()).status).toBe(201);

  const cookie = await app.signIn(site.admin.email);
  const { data } = (await app.desk(cookie, 'usage.storage', {})).body;
  expect(data.files_max_bytes).toBe(1024 ** 2);
  expect(data.kinds.find(({ kind }: Json) => kind === 'files').bytes).toBe(KIB_700.length);

  // Deleted files make room, once the files are measured again.
  await visitor.drop(first.id);
  time += 61_000;
  expect((await visitor.upload()).status).toBe(201);
});

test('without a quota nothing is refused or measured', async () => {
  const { hasRoom } = createFilesQuota(null, () => new Date());
  expect(await hasRoom({} as SiteContext, Number.MAX_SAFE_INTEGER)).toBe(true);
});
