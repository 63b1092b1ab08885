import { randomUUID } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type DataImport, IMPORT_PART_BYTES, type ImportKind, type InputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { findDue } from '../../test/find-due.ts';
import { until } from '../../test/harness.ts';
import { TestSocket } from '../../test/sockets.ts';
import type { SiteContext } from '../core/context.ts';
import { importSampleKnowledge } from '../knowledge/sample.ts';
import { countSite } from '../reports/counting.ts';
import { newArchive, nextStep } from '../site-archive/write.ts';
import { addAgent } from '../sites/agents/agents.ts';
import { openDevice } from '../visitors/identity/devices.ts';
import { bringFile } from './csv-work.ts';
import { readVisitor } from './visitor-rows.ts';
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

/** Sends a file and waits until it was checked. */
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

async function put(cookie: string, input: InputOf<'imports.start'>): Promise<DataImport> {
  const begun = await app.desk(cookie, 'imports.start', input);
  expect(begun.body.error).toBeUndefined();
  return settled(cookie, input.id);
}

const countIn = async ({ db, site }: SiteContext, table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)} where site_id = ${site.id}`.execute(db);
  return rows[0]?.count ?? 0;
};

test('an import whose worker meets a database error is retried, and ends correctly', async () => {
  const site = await app.makeSite();
  const cookie = await app.signIn(site.admin.email);
  const { id } = await send(cookie, 'visitors', Buffer.from('key,email\nmaya,maya@example.com\n'));
  const { operator } = site;
  const attempts = async (): Promise<number> => {
    const { rows } = await sql<{ retry_count: number }>`
      select retry_count from foyer_jobs.job where name = 'imports.work'
      and data->>'site_id' = ${String(operator.site.id)} order by created_on desc limit 1`.execute(
      operator.db,
    );
    return rows[0]?.retry_count ?? 0;
  };
  // The job and the loss of its table are one transaction: no worker finds only one of them.
  await operator.transaction(async (tx) => {
    await sql`update imports set found = null where site_id = ${tx.site.id} and id = ${id}`.execute(tx.db);
    await tx.enqueue('imports.work', { import_id: id });
    await sql`alter table imports rename to imports_away`.execute(tx.db);
  });
  await until(async () => (await attempts()) > 0).finally(() =>
    sql`alter table imports_away rename to imports`.execute(operator.db),
  );
  expect(await settled(cookie, id)).toMatchObject({ state: 'ready', csv: { rows: 1 } });
});

describe('an archive at the desk', () => {
  test('is described before anything is done, imported by a job, and its bytes are deleted', async () => {
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
    // A job that runs again after the end does nothing.
    await workOnImport(site.operator, done.id);
    expect(await countIn(site.operator, 'tickets')).toBe(1);
    const again = await app.desk(cookie, 'imports.start', { id: done.id });
    expect(again.body.error.reason).toBe('import_under_way');
  });

  test('that is no archive, is cut off, or is newer, is refused with the reason, and the site stays as it was', async () => {
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

  test('replaces the trial data of a new site, but not the data of a site in use', async () => {
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

  test('is sent by admins of the site alone, part by part, each stored once', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    const bytes = IMPORT_PART_BYTES + 3;
    const { id } = (await app.desk(cookie, 'imports.create', { kind: 'archive', file_name: 'x', bytes })).body
      .data;
    const part = Buffer.alloc(IMPORT_PART_BYTES);
    expect((await putPart(cookie, id, 2, Buffer.alloc(3))).status).toBe(400);
    expect((await putPart(cookie, id, 1, Buffer.alloc(3))).status).toBe(400);
    expect((await putPart(cookie, id, 1, Buffer.alloc(0))).status).toBe(400);
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
    const due = await findDue(importClock, db, new Date(), 10);
    expect(due).toEqual([{ siteId: site.site.id, id }]);
    await importClock.run(site.operator, id);
    expect(await countIn(site.operator, 'import_parts')).toBe(0);
  });
});

const csv = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`);
const findAll = async (site: TestSite, resource: string) =>
  (await app.rest(site.read, 'GET', `/v1/${resource}`)).body.data;

/** Subscribes to every event; the recorded ones are counted. */
const subscribe = (site: TestSite) =>
  app.rest(site.write, 'POST', '/v1/webhook_subscriptions', {
    url: 'http://127.0.0.1:9/',
    events: ['visitor_identified', 'ticket_created', 'segment_entered'],
  });

describe('a CSV of visitors', () => {
  test('creates and updates visitors, matches verified addresses, and adds nothing to unverified ones', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    await subscribe(site);
    await app.rest(site.write, 'POST', '/v1/visitors', {
      key: 'u-1',
      email: 'maya@example.com',
      plan: 'free',
    });
    const before = await countIn(site.operator, 'webhook_events');
    // A visitor has entered it in a page.
    const device = await openDevice(site.operator.db, site.site.id, { now: new Date() });
    await sql`
      update visitors set email = 'boss@example.com' where site_id = ${site.site.id} and id = ${device.visitorId}`.execute(
      site.operator.db,
    );
    const file = csv(
      'user_id;Email;Name;plan;Seats',
      ';MAYA@example.com;Maya;pro;3',
      'u-2;;"Line',
      'break";;',
      ';boss@example.com;The Boss;pro;',
      ';nobody;;;',
      ';;Nobody;;',
      ';x@example.com;;;many',
      ';maya@example.com;Maya;pro;3',
    );
    const ready = await send(cookie, 'visitors', file, 'contacts.csv');
    expect(ready).toMatchObject({ state: 'ready', csv: { rows: 7, encoding: 'utf-8' } });
    expect(await countIn(site.operator, 'visitors')).toBe(2);
    const columns = ready.csv?.guess ?? [];
    const bad = await app.desk(cookie, 'imports.start', {
      id: ready.id,
      columns: columns.map(() => ({ to: 'name' })),
    });
    expect(bad.body.error.issues).toMatchObject([{ path: 'columns', reason: 'twice' }]);
    const kept = async () =>
      JSON.stringify(
        (await sql`select found from imports where id = ${ready.id}`.execute(site.operator.db)).rows,
      );
    expect(await kept()).toContain('MAYA@example.com');
    const done = await put(cookie, { id: ready.id, columns });
    // A finished import keeps only the rows that were skipped.
    expect(await kept()).not.toMatch(/example\.com|Boss/);
    expect(await countIn(site.operator, 'import_parts')).toBe(0);
    expect(done).toMatchObject({ state: 'done', taken: 2, updated: 1, unchanged: 1, not_taken: 3 });
    expect(done.problems.map(({ line, issues }) => [line, issues[0]?.reason])).toEqual([
      [6, 'email'],
      [7, 'no_identity'],
      [8, 'form'],
    ]);
    const people = await findAll(site, 'visitors?order=asc');
    expect(people).toHaveLength(4);
    expect(people[0]).toMatchObject({ key: 'u-1', name: 'Maya', attributes: { plan: 'pro', Seats: 3 } });
    expect(people[1]).toMatchObject({ email: 'boss@example.com', name: null, attributes: {} });
    expect(people[2]).toMatchObject({ key: 'u-2', name: 'Line\r\nbreak' });
    expect(people[3]).toMatchObject({ email: 'boss@example.com', name: 'The Boss' });
    expect(await countIn(site.operator, 'webhook_events')).toBe(before);
    const { text, next } = (await app.desk(cookie, 'imports.problems', { id: done.id })).body.data;
    expect(next).toBeNull();
    expect(text).toContain('line,problem,user_id,Email,Name,plan,Seats');
    expect(text).toContain('8,Seats must be a number,,x@example.com,,,many');

    // Importing the same file again creates no duplicates.
    const again = await send(cookie, 'visitors', file);
    expect(await put(cookie, { id: again.id, columns })).toMatchObject({
      taken: 0,
      unchanged: 4,
      not_taken: 3,
    });
    expect(await countIn(site.operator, 'visitors')).toBe(4);
  });

  const people = (count: number): Buffer =>
    csv('email', ...Array.from({ length: count }, (_, at) => `p${at + 1}@example.com`));

  test('loses no other record because of a failing one among many', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    for (const key of ['u-1', 'u-2'])
      await app.rest(site.write, 'POST', '/v1/visitors', { key, email: 'p70@example.com' });
    const { id, csv: found } = await send(cookie, 'visitors', people(120));
    const done = await put(cookie, { id, columns: found?.guess ?? [] });
    expect(done).toMatchObject({ state: 'done', done: 120, taken: 119, not_taken: 1 });
    expect(done.problems).toMatchObject([{ line: 71, issues: [{ reason: 'twice' }] }]);
    expect(await countIn(site.operator, 'visitors')).toBe(121);
  });

  test('continues where a worker died, each record once', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    const file = people(120);
    const { id, csv: found } = await send(cookie, 'visitors', file);
    const work = { id, columns: found?.guess ?? [], read: readVisitor, owner: 'people' as const };
    const dies: typeof readVisitor = (told) => async (tx, fields) => {
      const outcome = await readVisitor(told)(tx, fields);
      if (told.fields.email === 'p75@example.com') throw new Error('Connection terminated unexpectedly');
      return outcome;
    };
    await expect(bringFile(site.operator, file, { ...work, position: 0, read: dies })).rejects.toThrow();
    expect(await countIn(site.operator, 'visitors')).toBe(50);
    // A worker that believes it untouched does nothing.
    expect(await bringFile(site.operator, file, { ...work, position: 0 })).toBe(false);
    expect(await bringFile(site.operator, file, { ...work, position: 50 })).toBe(true);
    expect(await countIn(site.operator, 'visitors')).toBe(120);
    expect((await app.desk(cookie, 'imports.get', { id })).body.data).toMatchObject({
      done: 120,
      taken: 120,
    });
  });
});

describe('a CSV of tickets', () => {
  test('creates each once, closed as it was, without webhooks, notifications or figures in reports', async () => {
    const site = await app.makeSite();
    const cookie = await app.signIn(site.admin.email);
    await subscribe(site);
    const file = csv(
      'id,subject,body,email,name,status,priority,labels,created_at',
      '7,Refund,"Please, now",maya@example.com,Maya,Resolved,Medium,"money; urgent one",2024-03-31 17:05:00 UTC',
      '8,Hello,,maya@example.com,Maya,open,urgent,,1711904700',
      '9,,Only a text,,Ben,snoozed,,,',
      '10,Odd,x,maya@example.com,,lost,,,31/03/2024',
    );
    const ready = await send(cookie, 'tickets', file, 'tickets.csv');
    const columns = ready.csv?.guess ?? [];
    const agent = await TestSocket.agent(app.url, cookie);
    const done = await put(cookie, { id: ready.id, columns });
    expect(done).toMatchObject({ state: 'done', taken: 3, not_taken: 1 });
    // Open desks get one notice for all of it.
    await agent.next('lists_stale');
    expect(agent.frames.filter(({ type }) => /^tickets|stale$/.test(type))).toHaveLength(1);
    agent.cut();
    expect(done.problems[0]?.issues.map(({ path }) => path)).toEqual(['status', 'created']);
    const tickets = await findAll(site, 'tickets');
    expect(tickets).toHaveLength(3);
    const listed = (await app.desk(cookie, 'inbox.filtered', {})).body.data;
    expect(listed.filter(({ unread }: { unread: boolean }) => unread)).toEqual([]);
    const of = (id: string) => tickets.find((one: { external_id: string }) => one.external_id === id);
    expect(of('7')).toMatchObject({
      subject: 'Refund',
      description: 'Please, now',
      status: 'closed',
      priority: 'normal',
      tags: ['money', 'urgent one'],
      created_utc: '2024-03-31T17:05:00.000Z',
      requester: { email: 'maya@example.com', name: 'Maya' },
    });
    expect(of('8')).toMatchObject({ description: 'Hello', created_utc: '2024-03-31T17:05:00.000Z' });
    expect(of('9')).toMatchObject({ subject: 'Only a text', status: 'pending', requester: { name: 'Ben' } });
    expect(await countIn(site.operator, 'visitors')).toBe(2);
    expect(await countIn(site.operator, 'webhook_events')).toBe(0);
    expect(await countIn(site.operator, 'notifications')).toBe(0);
    // Nor when an agent works on one later.
    await app.desk(cookie, 'tickets.update', { id: of('8').id, status: 'solved' });
    await countSite(site.operator);
    expect(await countIn(site.operator, 'report_days')).toBe(0);

    const again = await send(cookie, 'tickets', file);
    expect(await put(cookie, { id: again.id, columns })).toMatchObject({
      taken: 0,
      unchanged: 3,
      not_taken: 1,
    });
    expect(await countIn(site.operator, 'tickets')).toBe(3);
  });

  test('columns with names of custom fields are those, and a wrong value is a problem of its row', async () => {
    const site = await app.makeSite('growth');
    const cookie = await app.signIn(site.admin.email);
    const field = (body: object) =>
      app.rest(site.write, 'POST', '/v1/fields', { applies_to: 'tickets', kind: 'text', ...body });
    await field({ name: 'Order number', required: true });
    await field({ name: 'Parts', kind: 'choices', choices: ['Shade', 'Cable', 'Bulb, small'] });
    await field({ name: 'Weight', kind: 'number' });
    await field({ name: 'Sent', kind: 'date' });
    await field({ name: 'Insured', key: 'is_insured', kind: 'yes_no' });
    const file = csv(
      'id,subject,email,order_number,Parts,weight,Sent,Is insured,other',
      '1,A lamp,maya@example.com,A-100,"cable; shade",2.5,2026-03-01 10:00,yes,x',
      '2,A bulb,maya@example.com,,"Bulb, small",,,NO,x',
      '3,A shade,maya@example.com,A-300,"Lamp",heavy,1.3.,maybe,x',
    );
    const ready = await send(cookie, 'tickets', file, 'tickets.csv');
    const columns = ready.csv?.guess ?? [];
    expect(columns.slice(3)).toEqual([
      ...['order_number', 'parts', 'weight', 'sent', 'is_insured'].map((name) => ({ to: 'field', name })),
      { to: 'skip' },
    ]);
    for (const wrong of [columns.with(8, { to: 'field', name: 'parts' }), columns.with(8, { to: 'field' })])
      expect((await app.desk(cookie, 'imports.start', { id: ready.id, columns: wrong })).status).toBe(400);
    const done = await put(cookie, { id: ready.id, columns });
    expect(done).toMatchObject({ state: 'done', taken: 2, not_taken: 1 });
    expect(done.problems[0]?.issues.map(({ path }) => path)).toEqual(
      ['parts', 'weight', 'sent', 'is_insured'].map((key) => `fields.${key}`),
    );
    const tickets = await findAll(site, 'tickets');
    const of = (id: string) => tickets.find((one: { external_id: string }) => one.external_id === id);
    expect(of('1').fields).toEqual({
      order_number: 'A-100',
      parts: ['Shade', 'Cable'],
      weight: 2.5,
      sent: '2026-03-01',
      is_insured: true,
    });
    expect(of('2').fields).toEqual({ parts: ['Bulb, small'], is_insured: false });
    expect(of('3')).toBeUndefined();
  });
});

test('a CSV of visitors stores the custom fields of people in their kinds, and refuses other values', async () => {
  const site = await app.makeSite('growth');
  const cookie = await app.signIn(site.admin.email);
  const field = (body: object) =>
    app.rest(site.write, 'POST', '/v1/fields', { applies_to: 'people', ...body });
  await field({ name: 'Plan', kind: 'choice', choices: ['Free', 'Pro'] });
  await field({ name: 'Interests', kind: 'choices', choices: ['Lamps', 'Textiles'] });
  await field({ name: 'Team size', key: 'seats', kind: 'number' });
  const file = csv(
    'key,plan,Interests,Team size,city',
    'ann,pro,"[""Textiles"",""Lamps""]",12,Kyiv',
    'ben,Gold,,3,Lyon',
  );
  const ready = await send(cookie, 'visitors', file);
  const columns = ready.csv?.guess ?? [];
  expect(columns.slice(1)).toEqual([
    { to: 'attribute', name: 'plan', as: 'text' },
    { to: 'attribute', name: 'interests', as: 'text' },
    { to: 'attribute', name: 'seats', as: 'number' },
    { to: 'attribute', name: 'city', as: 'text' },
  ]);
  const done = await put(cookie, { id: ready.id, columns });
  expect(done).toMatchObject({ taken: 1, not_taken: 1 });
  expect(done.problems[0]?.issues.map(({ path }) => path)).toEqual(['attributes.plan']);
  const { body } = await app.rest(site.read, 'GET', '/v1/visitors?key=ann');
  expect(body.data.attributes).toEqual({
    plan: 'Pro',
    interests: ['Lamps', 'Textiles'],
    seats: 12,
    city: 'Kyiv',
  });
});
