import type { AuditEntry } from '@foyer/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../../test/app.ts';
import { csvRecords } from '../../base/csv.ts';
import { operations } from '../../registry.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const log = async (input: object = {}): Promise<AuditEntry[]> =>
  (await app.desk(cookie, 'audit.list', input)).body.data;
const newest = async (): Promise<AuditEntry | undefined> => (await log({ limit: 1 }))[0];

test('a changed setting is logged with its author, their address, and the values before and after', async () => {
  await app.desk(cookie, 'site.update', { greeting: 'Good day' });
  expect(await newest()).toMatchObject({
    actor: { kind: 'agent', id: site.admin.agentId },
    address: '127.0.0.1',
    subject: 'site',
    action: 'site.update',
    changes: { greeting: ['', 'Good day'] },
  });
});

test('a change without an effect, and a refused one, are not logged', async () => {
  const before = await newest();
  await app.desk(cookie, 'site.update', { greeting: 'Good day' });
  expect((await app.desk(cookie, 'site.update', { greeting: 'x'.repeat(301) })).status).toBe(400);
  expect((await app.desk(cookie, 'tags.delete', { id: 4711 })).status).toBe(404);
  expect(await newest()).toEqual(before);
});

test('tokens and webhooks are logged without their secrets', async () => {
  const token = (await app.desk(cookie, 'api_tokens.create', { name: 'CRM', scopes: 'read' })).body.data;
  expect(await newest()).toMatchObject({ subject: 'api_token', subject_id: token.id, label: 'CRM' });
  const renewed = (await app.desk(cookie, 'api_tokens.rotate', { id: token.id })).body.data;
  expect((await newest())?.changes).toEqual({ hint: [token.hint, renewed.hint] });
  const url = 'http://127.0.0.1:9/hook?key=of-the-receiver';
  const hook = { url, events: ['handoff'], description: 'Orders' };
  const made = (await app.desk(cookie, 'webhook_subscriptions.create', hook)).body.data;
  expect(await newest()).toMatchObject({ subject: 'webhook_subscription', label: 'Orders' });
  const told = JSON.stringify(await log());
  for (const secret of [token.token, renewed.token, made.secret, 'of-the-receiver'])
    expect(told).not.toContain(secret);
});

test('a deleted record is logged by the name that it had', async () => {
  const { id } = (await app.desk(cookie, 'tags.create', { name: 'Refund' })).body.data;
  await app.desk(cookie, 'tags.delete', { id });
  expect(await newest()).toMatchObject({ action: 'tags.delete', subject_id: id, label: 'Refund' });
});

test('every change of an SLA policy is logged, including its conditions', async () => {
  const targets = { first_response: { normal: 30 } };
  const { id } = (await app.desk(cookie, 'sla_policies.create', { name: 'Fast', targets })).body.data;
  expect(await newest()).toMatchObject({ action: 'sla_policies.create', subject_id: id, label: 'Fast' });
  await app.desk(cookie, 'sla_policies.update', { id, applies_to: ['tickets', 'chats'] });
  expect(await newest()).toMatchObject({
    action: 'sla_policies.update',
    changes: { applies_to: [['tickets'], ['tickets', 'chats']] },
  });
  await app.desk(cookie, 'sla_policies.update', { id, warn_minutes: 5 });
  expect((await newest())?.changes).toEqual({ warn_minutes: [null, 5] });
  await app.desk(cookie, 'sla_policies.delete', { id });
  expect(await newest()).toMatchObject({ action: 'sla_policies.delete', label: 'Fast' });
});

test('a call over REST is logged with its token', async () => {
  await app.rest(site.write, 'POST', '/v1/tags', { name: 'From outside' });
  expect(await newest()).toMatchObject({ actor: { kind: 'token' }, action: 'tags.create' });
});

test('an erasure is logged without the person', async () => {
  await app.rest(site.write, 'POST', '/v1/visitors', { key: 'user_gone', name: 'Jonas Lind' });
  await app.desk(cookie, 'visitors.erase', { key: 'user_gone' });
  expect(await newest()).toMatchObject({ action: 'visitors.erase', subject: 'visitor', changes: {} });
  expect(JSON.stringify(await log())).not.toMatch(/user_gone|Jonas/);
});

test('signing in is logged in each site of the person', async () => {
  const again = await app.signIn(site.admin.email);
  const [entry] = (await app.desk(again, 'audit.list', { limit: 1 })).body.data;
  expect(entry).toMatchObject({ action: 'sign_in.password', subject_id: site.admin.agentId });
});

test('the log is filtered by author, subject and time, paged, and other sites have their own', async () => {
  expect((await log({ subject: 'tag' })).every(({ subject }) => subject === 'tag')).toBe(true);
  expect(await log({ agent_id: site.admin.agentId + 1 })).toEqual([]);
  expect(await log({ since: '2999-01-01' })).toEqual([]);
  const first = (await app.desk(cookie, 'audit.list', { limit: 2 })).body;
  const second = (await app.desk(cookie, 'audit.list', { limit: 2, cursor: first.page.next_cursor })).body;
  const ids = [...first.data, ...second.data].map(({ id }: AuditEntry) => id);
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  const other = await app.makeSite();
  const theirs = await app.desk(await app.signIn(other.admin.email), 'audit.list', {});
  expect(theirs.body.data.map(({ action }: AuditEntry) => action)).toEqual([
    'sign_in.password',
    'agents.join',
  ]);
});

test('the export has every entry, oldest first, and no cell that a spreadsheet would run', async () => {
  await app.desk(cookie, 'tags.create', { name: '=HYPERLINK("http://evil.example")' });
  const { text, next } = (await app.desk(cookie, 'audit.export', {})).body.data;
  expect(next).toBeNull();
  const [head, ...lines] = [...csvRecords(text)].map(({ cells }) => cells);
  expect(lines.at(-1)?.[head?.indexOf('called') ?? -1]).toBe(`'=HYPERLINK("http://evil.example")`);
  // By now the log contains the export itself.
  expect(lines).toHaveLength((await log({ limit: 200 })).length - 1);
  expect((await newest())?.action).toBe('audit.export');
});

/**
 * Not logged by the operation itself: a test of a mail or a model, which changes nothing; changes of tickets, which
 * have their own history; deliveries, which have their own log; the sign-in of a mailbox, sample data, and the
 * installation's address, which log their results; a new site, which both sites log; and operations of many calls, such
 * as an import or a merge of tags, which are logged when they are complete or stopped.
 */
const TOLD_ELSEWHERE = [
  'actions.test',
  'identity_providers.read_metadata',
  'identity_providers.test',
  'imports.create',
  'imports.delete',
  'imports.start',
  'imports.stop',
  'language_model.test',
  'mail.test',
  'mailboxes.begin_sign_in',
  'mailboxes.finish_sign_in',
  'mailboxes.test',
  'public_address.set',
  'samples.create',
  'samples.remove',
  'sites.create',
  'tags.merge',
  'tickets.delete',
  'webhook_deliveries.resend',
  'webhook_subscriptions.test',
];

test('every change that only admins may make is logged', () => {
  const untold = operations.filter(
    ({ who, scope, audit }) => scope === 'write' && who.includes('admin') && !audit,
  );
  expect(untold.map(({ name }) => name).toSorted()).toEqual(TOLD_ELSEWHERE);
});
