import { randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type DataImport, IMPORT_PART_BYTES, type ImportKind } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import type { SiteContext } from '../context.ts';
import { importSampleKnowledge } from '../knowledge/sample.ts';
import { newArchive, nextStep } from '../site-archive/write.ts';
import { addAgent } from '../sites/agents.ts';
import { openDevice } from '../visitors/devices.ts';
import { importClock, workOnImport } from './work.ts';

let app: TestApp;
let old: TestSite;
let archive: Buffer;
beforeAll(async () => {
  app = await startTestApp();
  old = await app.makeSite();
  await app.rest(old.write, 'POST', '/v1/visitors', { key: 'maya', email: 'maya@example.com', name: 'Maya' });
  const ticket = { subject: 'Where is it?', body: 'My order', requester: { key: 'maya' } };
  expect((await app.rest(old.write, 'POST', '/v1/tickets', ticket)).status).toBe(201);
  archive = await archiveOf(old.operator);
});
afterAll(() => app.close());

async function archiveOf(ctx: SiteContext): Promise<Buffer> {
  const parts: Buffer[] = [];
  let state = newArchive(randomUUID());
  while (!state.done) {
    const step = await nextStep(ctx, state, '1.0.0');
    state = step.state;
    parts.push(step.bytes);
  }
  return Buffer.concat(parts);
}

const putPart = (cookie: string, id: number, number: number, content: Buffer, origin = app.url) =>
  fetch(`${app.url}/app/imports/${id}/parts/${number}`, {
    method: 'PUT',
    headers: { cookie, origin },
    body: new Uint8Array(content),
  });

/** Sends a file and waits until it was looked through. */
async function send(cookie: string, kind: ImportKind, file: Buffer, name = 'file'): Promise<DataImport> {
  const made = await app.desk(cookie, 'imports.create', { kind, file_name: name, bytes: file.length });
  expect(made.status).toBe(200);
  const { id } = made.body.data;
  for (let at = 0; at < file.length; at += IMPORT_PART_BYTES) {
    const part = file.subarray(at, at + IMPORT_PART_BYTES);
    expect((await putPart(cookie, id, at / IMPORT_PART_BYTES + 1, part)).status).toBe(200);
  }
  return settled(cookie, id);
}

async function settled(cookie: string, id: number): Promise<DataImport> {
  const look = async (): Promise<DataImport> => (await app.desk(cookie, 'imports.get', { id })).body.data;
  await until(async () => !['looking', 'running'].includes((await look()).state));
  return look();
}

async function put(cookie: string, input: { id: number; replace?: boolean }): Promise<DataImport> {
  const begun = await app.desk(cookie, 'imports.start', input);
  expect(begun.body.error).toBeUndefined();
  return settled(cookie, input.id);
}

const countIn = async ({ db, site }: SiteContext, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where site_id = ${site.id}`.execute(db);
  return rows[0]?.count ?? 0;
};

describe('an archive at the desk', () => {
  test('is told before anything is done, put in by a job, and its bytes go', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    const ready = await send(cookie, 'archive', archive, 'old.tar.gz');
    expect(ready).toMatchObject({
      state: 'ready',
      file_name: 'old.tar.gz',
      archive: { site_name: 'Lantern & Loom', counts: { visitors: 1, tickets: 1, articles: 0 } },
    });
    expect(await countIn(site.operator, 'tickets')).toBe(0);
    const done = await put(cookie, { id: ready.id });
    expect(done).toMatchObject({ state: 'done', not_taken: 0, failure: null });
    expect(done.taken).toBeGreaterThan(1);
    expect(done.done).toBeGreaterThan(0);
    const tickets = (await app.rest(site.read, 'GET', '/v1/tickets')).body.data;
    expect(tickets).toMatchObject([{ subject: 'Where is it?', requester: { key: 'maya' } }]);
    expect(await countIn(site.operator, 'import_parts')).toBe(0);
    const [entry] = (await app.desk(cookie, 'audit.list', { subject: 'site' })).body.data;
    expect(entry).toMatchObject({ action: 'site.import', actor: { id: site.admin.agentId } });
    // A job that comes again after its end does nothing.
    await workOnImport(site.operator, done.id);
    expect(await countIn(site.operator, 'tickets')).toBe(1);
    const again = await app.desk(cookie, 'imports.start', { id: done.id });
    expect(again.body.error.reason).toBe('import_under_way');
  });

  test('that is no archive, is cut off, or is newer, is refused in words, and the site stays as it was', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    const tar = gunzipSync(archive);
    const newer = Buffer.from(tar.toString('latin1').replace('"version":1', '"version":2'), 'latin1');
    for (const [file, reason] of [
      [Buffer.from('hello'), 'archive_none'],
      [gzipSync('hello'), 'archive_none'],
      [archive.subarray(0, archive.length - 40), 'archive_cut'],
      [gzipSync(tar.subarray(0, 4096)), 'archive_cut'],
      [gzipSync(newer), 'archive_newer'],
    ] as const) {
      const failed = await send(cookie, 'archive', file);
      expect([failed.state, failed.failure?.reason]).toEqual(['failed', reason]);
      expect((await app.desk(cookie, 'imports.start', { id: failed.id })).status).toBe(409);
    }
    expect(await countIn(site.operator, 'site_imports')).toBe(0);
    expect(await countIn(site.operator, 'import_parts')).toBe(0);
    const large = { kind: 'archive', file_name: 'x', bytes: 6 * 1024 ** 3 };
    expect((await app.desk(cookie, 'imports.create', large)).body.error.code).toBe('payload_too_large');
  });

  test('takes the place of what a new site was tried out with, and of nothing that is at work', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    await importSampleKnowledge(site.operator);
    await openDevice(site.operator.db, site.site.id, { now: new Date() });
    const { id } = await send(cookie, 'archive', archive);
    const { there } = (await app.desk(cookie, 'imports.list')).body.data;
    expect(there).toMatchObject({ is_trial: true, archive: 'none' });
    expect(there.counts).toEqual([
      { kind: 'visitors', count: 1 },
      { kind: 'articles', count: 20 },
    ]);
    expect((await app.desk(cookie, 'imports.start', { id })).body.error.reason).toBe('site_in_use');
    expect(await countIn(site.operator, 'articles')).toBe(20);
    expect(await put(cookie, { id, replace: true })).toMatchObject({ state: 'done', not_taken: 0 });
    expect(await countIn(site.operator, 'articles')).toBe(0);
    expect(await countIn(site.operator, 'visitors')).toBe(1);
    expect((await app.desk(cookie, 'agents.list')).body.data.agents).toHaveLength(1);

    const busy = await app.makeSite();
    const other = await app.signIn(busy.admin.email);
    await sql`
      insert into tags (site_id, name, color) select ${busy.site.id}, 'tag ' || n, '#336699'
      from generate_series(1, 201) n`.execute(busy.operator.db);
    const sent = await send(other, 'archive', archive);
    const refused = await app.desk(other, 'imports.start', { id: sent.id, replace: true });
    expect(refused.body.error.reason).toBe('site_in_use');
    expect(await countIn(busy.operator, 'tags')).toBe(201);
  });

  test('is sent by admins of the site alone, part by part, each kept once', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    const bytes = IMPORT_PART_BYTES + 3;
    const { id } = (await app.desk(cookie, 'imports.create', { kind: 'archive', file_name: 'x', bytes })).body
      .data;
    const part = Buffer.alloc(IMPORT_PART_BYTES);
    expect((await putPart(cookie, id, 2, Buffer.alloc(3))).status).toBe(400);
    expect((await putPart(cookie, id, 1, Buffer.alloc(3))).status).toBe(400);
    expect((await putPart(cookie, id, 1, Buffer.alloc(IMPORT_PART_BYTES + 1))).status).toBe(413);
    expect((await putPart(cookie, id, 1, part, 'https://evil.example')).status).toBe(403);
    expect((await putPart(await app.signIn(old.admin.email), id, 1, part)).status).toBe(404);
    await addAgent(site.operator, {
      email: 'ben@example.com',
      name: 'Ben',
      password: 'correct horse battery',
    });
    expect((await putPart(await app.signIn('ben@example.com'), id, 1, part)).status).toBe(401);
    expect(await countIn(site.operator, 'import_parts')).toBe(0);
    for (const _ of [1, 2]) expect((await putPart(cookie, id, 1, part)).status).toBe(200);
    expect(await countIn(site.operator, 'import_parts')).toBe(1);
    expect((await app.desk(cookie, 'imports.get', { id })).body.data.state).toBe('sending');

    const { db } = site.operator;
    await sql`update imports set created_at = now() - interval '25 hours' where id = ${id}`.execute(db);
    const due = await importClock.due(db, new Date(), 10);
    expect(due).toEqual([{ siteId: site.site.id, id }]);
    await importClock.run(site.operator, id);
    expect(await countIn(site.operator, 'import_parts')).toBe(0);
  });
});
