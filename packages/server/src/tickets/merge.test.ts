import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { answerAsRequester } from '../../test/fixtures/tickets.ts';
import { getTicketRow } from './tickets.ts';

let app: TestApp;
let site: TestSite;
let cookie: string;

beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const ask = (operation: string, input: object) => app.desk(cookie, operation, input);
async function makeTicket(name: string, subject = 'Refund'): Promise<number> {
  const requester = { key: `user_${name}`, name };
  return (await ask('tickets.create', { subject, body: 'Please', requester })).body.data.id;
}
const ticketOf = async (id: number) => (await ask('tickets.list', { id })).body.data;

test('tickets are merged into one: closed, with notes that link both ways, and no public message', async () => {
  const [into, one, two] = [
    await makeTicket('mira'),
    await makeTicket('mira', 'Refund again'),
    await makeTicket('mira'),
  ];
  await ask('ticket_replies.create', { ticket_id: one, type: 'public', body: 'We are looking' });
  await ask('ticket_replies.create', { ticket_id: one, type: 'note', body: 'Between us' });
  const { status } = await ask('tickets.merge', { into_id: into, ids: [one, two] });
  expect(status).toBe(200);
  const target = await ticketOf(into);
  expect(target).toMatchObject({ status: 'new', reply_count: 0 });
  expect(target.replies.map(({ type }: { type: string }) => type)).toEqual(['note', 'note']);
  expect(target.replies[0].body).toContain(`[#${one}](`);
  expect(target.replies[0].body).toContain('We are looking');
  expect(target.replies[0].body).not.toContain('Between us');
  const source = await ticketOf(one);
  expect(source.status).toBe('closed');
  expect(source.replies.at(-1)).toMatchObject({ type: 'note', author: { name: 'Ada' } });
  expect(source.replies.at(-1).body).toContain(`/app/inbox/tickets/${into})`);
  const { body } = await ask('tickets.follow_ups', { id: one });
  expect(body.data).toMatchObject({ merged_into_id: into, tickets: [{ id: into }] });
});

test('a requester’s message to a merged ticket goes to the other one, through a chain too', async () => {
  const [last, middle, first] = [
    await makeTicket('chain'),
    await makeTicket('chain'),
    await makeTicket('chain'),
  ];
  await ask('tickets.merge', { into_id: middle, ids: [first] });
  await ask('tickets.merge', { into_id: last, ids: [middle] });
  expect((await answerAsRequester(site.operator, first)).ticket_id).toBe(last);
});

test('the remaining ticket is unread if one of the merged ones was, and they are not', async () => {
  const [into, one] = [await makeTicket('noor'), await makeTicket('noor')];
  await answerAsRequester(site.operator, one);
  await ask('tickets.merge', { into_id: into, ids: [one] });
  expect((await getTicketRow(site.operator, into)).unread_since).not.toBeNull();
  expect((await getTicketRow(site.operator, one)).unread_since).toBeNull();
});

test('tickets of different people are merged only on confirmation, and the other’s replies stay apart', async () => {
  const [into, other] = [await makeTicket('jonas'), await makeTicket('priya')];
  const refused = await ask('tickets.merge', { into_id: into, ids: [other] });
  expect(refused.body.error).toMatchObject({ code: 'conflict', reason: 'merge_requesters' });
  expect((await ticketOf(other)).status).toBe('new');
  await ask('tickets.merge', { into_id: into, ids: [other], across_requesters: true });
  const { ticket_id } = await answerAsRequester(site.operator, other);
  expect([into, other]).not.toContain(ticket_id);
  expect((await getTicketRow(site.operator, ticket_id)).follow_up_of_id).toBe(other);
});

test('a closed ticket is neither merged nor merged into, nor one into itself; of two merges at once one is refused', async () => {
  const [into, one, two] = [await makeTicket('lea'), await makeTicket('lea'), await makeTicket('lea')];
  const both = await Promise.all([
    ask('tickets.merge', { into_id: into, ids: [one] }),
    ask('tickets.merge', { into_id: two, ids: [one] }),
  ]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect((await ask('tickets.merge', { into_id: one, ids: [into] })).status).toBe(409);
  expect((await ask('tickets.merge', { into_id: into, ids: [into] })).status).toBe(409);
  const elsewhere = await app.makeSite();
  const foreign = await app.rest(elsewhere.write, 'POST', '/v1/tickets', {
    subject: 'Theirs',
    body: 'Hello',
    requester: { name: 'Mira' },
  });
  const answer = await ask('tickets.merge', { into_id: into, ids: [foreign.body.data.id] });
  expect(answer.status).toBe(404);
});
