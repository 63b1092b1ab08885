import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  dumpOf,
  newAgent,
  newEmail,
  openSiteFixture,
  PASSWORD,
  type SiteFixture,
} from '../../../test/fixtures/sites.ts';
import { removeAgent } from '../../team/remove-agent.ts';
import { createSite, setPlan } from '../sites.ts';
import { addAgent, findAgentOfUser, listAgents, setAgentRole, userOfAgent } from './agents.ts';
import { mayAnswer } from './assignable.ts';
import { standingOfAgents } from './presence.ts';

let fixture: SiteFixture;
beforeAll(async () => {
  fixture = await openSiteFixture();
});
afterAll(() => fixture.close());

test('agents are listed with whether they are online', async () => {
  const { admin, operator, adminId } = await fixture.newSite();
  const second = await newAgent(operator);
  fixture.online.push(second.id);
  const agents = await listAgents(admin);
  expect(agents.map(({ id, role, online }) => ({ id, role, online }))).toEqual([
    { id: adminId, role: 'admin', online: false },
    { id: second.id, role: 'agent', online: true },
  ]);
});

test('the condition on who may answer works for any alias of the table', async () => {
  const { operator, adminId } = await fixture.newSite();
  const { rows } = await sql`
    select r.id from agents r where r.site_id = ${operator.site.id} and ${mayAnswer('r')}`.execute(
    fixture.db,
  );
  expect(rows).toEqual([{ id: adminId }]);
});

test('the free plan refuses a second agent with a message that says why', async () => {
  const { operator } = await fixture.newSite('free');
  await expect(newAgent(operator)).rejects.toMatchObject({
    code: 'plan_limit',
    message: expect.stringContaining('The free plan covers 1 agent.'),
  });
  expect(await listAgents(operator)).toHaveLength(1);
});

test('of many agents added at once only as many succeed as the plan covers', async () => {
  // Existing accounts need no slow hashing, so that all come at the same moment.
  const { operator } = await fixture.newSite('growth');
  const people = await Promise.all(Array.from({ length: 8 }, () => newAgent(operator)));
  for (const [plan, covered] of [
    ['free', 1],
    ['starter', 5],
  ] as const) {
    const { id } = await createSite(fixture.db, { name: 'Shop', plan });
    const there = fixture.contextOf({ id, plan }, { kind: 'operator' });
    const answers = await Promise.allSettled(
      people.map(({ email, name }) => addAgent(there, { email, name })),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(covered);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'plan_limit' },
    });
    expect(await listAgents(there)).toHaveLength(covered);
  }
});

test('a smaller plan keeps its agents and allows no more', async () => {
  const { operator } = await fixture.newSite('growth');
  await newAgent(operator);
  await setPlan(operator, 'free');
  expect(await listAgents(operator)).toHaveLength(2);
  await expect(newAgent(operator)).rejects.toMatchObject({ code: 'plan_limit' });
});

test('an existing account is attached with its password or without one, never with another', async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const email = here.adminEmail.toUpperCase();
  const wrong = { email, name: 'Ada', password: 'another password' };
  await expect(addAgent(there.operator, wrong)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await listAgents(there.operator)).toHaveLength(1);
  const attached = await addAgent(there.operator, { email, name: 'Ada', password: PASSWORD });
  expect(await userOfAgent(there.operator, attached.id)).toBe(await userOfAgent(here.operator, here.adminId));
  const third = await fixture.newSite();
  expect(await addAgent(third.operator, { email, name: 'Ada' })).toMatchObject({ email: here.adminEmail });
  await expect(addAgent(third.operator, { email, name: 'Ada' })).rejects.toMatchObject({ code: 'conflict' });
});

test('bad input names every wrong field', async () => {
  const { operator } = await fixture.newSite();
  const refused = addAgent(operator, { email: 'nobody', name: ' ', password: 'short' });
  await expect(refused).rejects.toMatchObject({
    code: 'invalid_input',
    issues: [{ path: 'email' }, { path: 'name' }, { path: 'password' }],
  });
  await expect(addAgent(operator, { email: newEmail(), name: 'Ada' })).rejects.toMatchObject({
    issues: [{ path: 'password' }],
  });
});

test('a password is stored only as a hash', async () => {
  await fixture.newSite();
  expect(await dumpOf(fixture)).not.toContain(PASSWORD);
});

test('the last admin is neither removed nor made an agent, even when two leave at once', async () => {
  const { operator, adminId } = await fixture.newSite();
  await newAgent(operator);
  await expect(removeAgent(operator, adminId)).rejects.toMatchObject({ code: 'conflict' });
  await expect(setAgentRole(operator, adminId, 'agent')).rejects.toMatchObject({ code: 'conflict' });
  const { id: second } = await newAgent(operator, 'admin');
  const answers = await Promise.allSettled([
    setAgentRole(operator, adminId, 'agent'),
    removeAgent(operator, second),
  ]);
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(
    [...(await standingOfAgents(fixture.db, operator.site.id)).values()].map(({ role }) => role),
  ).toContain('admin');
});

test('nobody can remove themselves', async () => {
  const { admin, operator, adminId } = await fixture.newSite();
  await newAgent(operator, 'admin');
  await expect(removeAgent(admin, adminId)).rejects.toMatchObject({ code: 'conflict' });
});

test('a removed agent is no agent of the site from then on, and may return', async () => {
  const { admin, operator } = await fixture.newSite();
  const { id, email } = await newAgent(operator);
  const userId = await userOfAgent(operator, id);
  expect(await findAgentOfUser(fixture.db, userId)).toMatchObject({ actor: { agentId: id } });
  expect(await removeAgent(admin, id)).toEqual({ id, deleted: true });
  expect(await findAgentOfUser(fixture.db, userId)).toBeUndefined();
  await expect(removeAgent(admin, id)).rejects.toMatchObject({ code: 'not_found' });
  expect((await addAgent(operator, { email, name: 'Ada' })).id).not.toBe(id);
});

test('a person acts in the requested site, and only where they are an agent', async () => {
  const [first, second, other] = [await fixture.newSite(), await fixture.newSite(), await fixture.newSite()];
  await addAgent(second.operator, { email: first.adminEmail, name: 'Ada' });
  const userId = await userOfAgent(first.operator, first.adminId);
  const siteOf = async (wanted?: number) => (await findAgentOfUser(fixture.db, userId, wanted))?.site.id;
  expect(await siteOf()).toBe(first.site.id);
  expect(await siteOf(second.site.id)).toBe(second.site.id);
  expect(await siteOf(other.site.id)).toBeUndefined();
});

test("another site's agent looks as if it did not exist", async () => {
  const [here, there] = [await fixture.newSite(), await fixture.newSite()];
  const missing = await setAgentRole(here.admin, 2 ** 40, 'agent').catch((error: unknown) => error);
  await expect(setAgentRole(here.admin, there.adminId, 'agent')).rejects.toEqual(missing);
  await expect(removeAgent(here.admin, there.adminId)).rejects.toEqual(missing);
  expect(missing).toMatchObject({ code: 'not_found' });
});
