import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  dumpOf,
  newAgent,
  newEmail,
  openSiteFixture,
  PASSWORD,
  type SiteFixture,
} from '../../../test/fixtures/sites.ts';
import type { Site } from '../../core/context.ts';
import { listAudit } from '../audit/audit-log.ts';
import { setPlan } from '../sites.ts';
import { listAgents } from './agents.ts';
import {
  acceptInvitation,
  checkInvitation,
  inviteAgent,
  listInvitations,
  revokeInvitation,
} from './invitations.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

const tokenOf = ({ url }: { url: string }): string => new URL(url).hash.slice(1);
const check = (token: string, now = new Date()) => checkInvitation(fixture.db, { token }, now);
const accept = (token: string, { password = PASSWORD, now = new Date() } = {}) =>
  acceptInvitation(
    { db: fixture.db, now, contextOf: (site: Site) => fixture.contextOf(site, { kind: 'operator' }) },
    { token, name: 'Grace', password },
  );

test('the invited person becomes an agent of that site, in that role, once', async () => {
  const { admin, site } = await fixture.newSite();
  const email = newEmail();
  const made = await inviteAgent(admin, { email, role: 'admin' });
  expect(made.url.split('#')).toEqual([
    `${admin.services.address.url}/app/invitation`,
    expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
  ]);
  const token = tokenOf(made);
  expect(await check(token)).toEqual({ email, site_name: 'Shop', role: 'admin', has_account: false });
  expect(await accept(token)).toEqual({ siteId: site.id, email, password: PASSWORD });
  expect((await listAgents(admin))[1]).toMatchObject({ email, name: 'Grace', role: 'admin' });
  expect(await listInvitations(admin)).toEqual([]);
  expect(fixture.notices).toContainEqual({ siteId: site.id, kind: 'agents' });
  await expect(accept(token)).rejects.toMatchObject({ code: 'not_found' });
  await expect(check(token)).rejects.toMatchObject({ code: 'not_found' });
});

test('the audit log names the invited person as the actor, and the caller if somebody was added', async () => {
  const { admin, operator } = await fixture.newSite();
  await accept(tokenOf(await inviteAgent(admin, { email: newEmail(), role: 'agent' })));
  const { id: added } = await newAgent(operator);
  const { items } = await listAudit(admin, { subject: 'agent', limit: 10, order: 'desc' });
  const joined = items.filter(({ action }) => action === 'agents.join');
  expect(joined).toHaveLength(3);
  expect(joined[0]).toMatchObject({ actor: { kind: 'operator' }, subject_id: added });
  expect(joined[1]).toMatchObject({
    actor: { kind: 'agent', name: 'Grace', id: joined[1]?.subject_id },
    label: 'Grace',
    changes: { role: [null, 'agent'] },
  });
});

test('a link that is used twice at once creates one agent', async () => {
  const { admin } = await fixture.newSite();
  const token = tokenOf(await inviteAgent(admin, { email: newEmail(), role: 'agent' }));
  const answers = await Promise.allSettled([accept(token), accept(token), accept(token)]);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await listAgents(admin)).toHaveLength(2);
});

test('the free plan refuses the invitation already', async () => {
  const { admin } = await fixture.newSite('free');
  await expect(inviteAgent(admin, { email: newEmail(), role: 'agent' })).rejects.toMatchObject({
    code: 'plan_limit',
  });
  expect(await listInvitations(admin)).toEqual([]);
});

test('of two invitations accepted at once only one gets the last place, and the other leaves no account', async () => {
  const { admin, operator } = await fixture.newSite('starter');
  await Promise.all([newAgent(operator), newAgent(operator), newAgent(operator)]);
  const emails = [newEmail(), newEmail()];
  const links = [];
  for (const email of emails) links.push(await inviteAgent(admin, { email, role: 'agent' }));
  const answers = await Promise.allSettled(links.map((link) => accept(tokenOf(link))));
  expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'plan_limit' },
  });
  expect(await listAgents(admin)).toHaveLength(5);
  const accounts = await fixture.db
    .selectFrom('auth_users')
    .select('id')
    .where('email', 'in', emails)
    .execute();
  expect(accounts).toHaveLength(1);
});

test('a smaller plan refuses earlier invitations', async () => {
  const { admin, operator } = await fixture.newSite('growth');
  const link = await inviteAgent(admin, { email: newEmail(), role: 'agent' });
  await setPlan(operator, 'free');
  await expect(accept(tokenOf(link))).rejects.toMatchObject({ code: 'plan_limit' });
});

test('an existing account keeps its password and must give it', async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const token = tokenOf(await inviteAgent(here.admin, { email: there.adminEmail, role: 'agent' }));
  expect(await check(token)).toMatchObject({ has_account: true });
  await expect(accept(token, { password: 'my own new password' })).rejects.toMatchObject({
    code: 'unauthorized',
  });
  expect(await listAgents(here.admin)).toHaveLength(1);
  await accept(token);
  expect(await listAgents(here.admin)).toHaveLength(2);
});

test('an existing agent is not invited', async () => {
  const { admin, adminEmail } = await fixture.newSite();
  const again = inviteAgent(admin, { email: adminEmail.toUpperCase(), role: 'agent' });
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
});

test('inviting again replaces the link', async () => {
  const { admin } = await fixture.newSite();
  const email = newEmail();
  const first = await inviteAgent(admin, { email, role: 'agent' });
  const second = await inviteAgent(admin, { email: email.toUpperCase(), role: 'agent' });
  await expect(check(tokenOf(first))).rejects.toMatchObject({ code: 'not_found' });
  expect(await listInvitations(admin)).toEqual([second.invitation]);
});

test('a link expires after seven days and when it is revoked', async () => {
  const { admin } = await fixture.newSite();
  const late = tokenOf(await inviteAgent(admin, { email: newEmail(), role: 'agent' }));
  const now = new Date(Date.now() + 7 * 86_400_000);
  await expect(accept(late, { now })).rejects.toMatchObject({ code: 'not_found' });
  const { invitation, url } = await inviteAgent(admin, { email: newEmail(), role: 'agent' });
  await revokeInvitation(admin, invitation.id);
  await expect(accept(tokenOf({ url }))).rejects.toMatchObject({ code: 'not_found' });
  await expect(revokeInvitation(admin, invitation.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await listAgents(admin)).toHaveLength(1);
});

test("another site's invitation looks as if it did not exist", async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const { invitation, url } = await inviteAgent(there.admin, { email: newEmail(), role: 'agent' });
  await expect(revokeInvitation(here.admin, invitation.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await listInvitations(here.admin)).toEqual([]);
  expect(await check(tokenOf({ url }))).toMatchObject({ role: 'agent' });
});

test('the token of a link is nowhere in the database', async () => {
  const { admin } = await fixture.newSite();
  const token = tokenOf(await inviteAgent(admin, { email: newEmail(), role: 'agent' }));
  const dump = await dumpOf(fixture);
  expect(dump).not.toContain(token);
  expect(dump).not.toContain(Buffer.from(token).toString('hex'));
});

test('bad input is refused by its fields', async () => {
  const { admin } = await fixture.newSite();
  await expect(checkInvitation(fixture.db, {}, new Date())).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(checkInvitation(fixture.db, null, new Date())).rejects.toMatchObject({
    code: 'invalid_input',
  });
  const { url } = await inviteAgent(admin, { email: newEmail(), role: 'agent' });
  await expect(accept(tokenOf({ url }), { password: 'short' })).rejects.toMatchObject({
    issues: [{ path: 'password' }],
  });
  await expect(inviteAgent(admin, { email: 'jürgen@example.com', role: 'agent' })).rejects.toMatchObject({
    issues: [{ path: 'email' }],
  });
});
