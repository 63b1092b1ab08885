import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeAgent } from '../../test/accounts.ts';
import { type Json, startTestApp, type TestApp, type TestSite } from '../../test/app.ts';
import { until } from '../../test/harness.ts';
import { type Mailbox, shown, startMailbox } from '../../test/mailbox.ts';
import { answerWith, type Receiver, startReceiver } from '../../test/receiver.ts';
import { emitHandoff, run, subscribe } from '../../test/webhook-world.ts';
import { disableFailing } from './disabling.ts';

const DAY_MS = 86_400_000;

let mailbox: Mailbox;
let app: TestApp;
let site: TestSite;
let aheadMs = 0;
const receivers: Receiver[] = [];
beforeAll(async () => {
  mailbox = await startMailbox();
  const now = () => new Date(Date.now() + aheadMs);
  app = await startTestApp({ SMTP_URL: mailbox.url, FOYER_MAIL_FROM: 'help@shop.example' }, { now });
  site = await app.makeSite();
});
afterAll(async () => {
  await app.close();
  await Promise.all([mailbox.close(), ...receivers.map((receiver) => receiver.close())]);
});

const agent = async (role: 'admin' | 'agent') => {
  const email = `${crypto.randomUUID()}@example.com`;
  const { id } = await makeAgent(site.operator, { email, name: 'Grace', role });
  return { id, email };
};
const told = (): string[] => mailbox.received.flatMap(({ to }) => to).toSorted();

/** The mail to the first admin, whose desk is in German, and the one to the other. */
const byLanguage = () => {
  const isFirst = ({ to }: { to: string[] }) => to.includes(site.admin.email);
  return [mailbox.received.find(isFirst), mailbox.received.find((mail) => !isFirst(mail))];
};

/** A webhook of the site to a receiver that answers with this. */
async function webhook(status: number) {
  const receiver = await startReceiver(answerWith(status));
  receivers.push(receiver);
  const { id } = await subscribe(site.operator, receiver.url);
  const read = () => run(site.operator, 'webhook_subscriptions.list', { id });
  const attempts = async () => {
    const { items } = await run(site.operator, 'webhook_deliveries.list', { subscription_id: id });
    return items.flatMap((delivery) => delivery.attempts).length;
  };
  const failOnce = async () => {
    const before = await attempts();
    await emitHandoff(site.operator);
    await until(async () => (await attempts()) > before);
  };
  return { id, url: receiver.url, read, failOnce };
}

it('admins get a mail about a webhook that was disabled after five days of failures, and nobody else does', async () => {
  const [second, removed] = [await agent('admin'), await agent('admin')];
  await agent('agent');
  const cookie = await app.signIn(site.admin.email);
  expect((await app.desk(cookie, 'agents.remove', { id: removed.id })).status).toBe(200);
  const { id, url, read, failOnce } = await webhook(500);
  await failOnce();
  aheadMs = 5 * DAY_MS;
  await failOnce();
  await disableFailing(site.operator, id);
  expect(await read()).toMatchObject({ enabled: false, disabled_reason: 'Every attempt failed for 5 days.' });
  await until(async () => mailbox.received.length === 2);
  expect(told()).toEqual([site.admin.email, second.email].toSorted());
  for (const mail of mailbox.received) {
    expect(mail.from).toBe('help@shop.example');
    expect(mail.headers).toMatchObject({
      subject: 'Webhook disabled',
      'auto-submitted': 'auto-generated',
    });
    const text = shown(mail);
    expect(text).toContain(`Foyer no longer sends events from Lantern & Loom to ${url}.`);
    expect(text).toContain('Every attempt failed for 5 days.');
    expect(text).toContain(`/app/settings/webhooks/${id}`);
  }
});

it('a rule emails a team and an address, and admins get one mail in their languages about why one was switched off', async () => {
  mailbox.received.length = 0;
  await app.desk(await app.signIn(site.admin.email), 'me.set_language', { language: 'de' });
  const member = await agent('agent');
  const rest = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await app.rest(site.write, method, `/v1/${path}`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  const team = await rest('POST', 'teams', { name: 'Billing', member_ids: [member.id] });
  const texts = { type: 'send_email', subject: 'Ticket {{ticket.id}}', body: 'From {{visitor.name}}' };
  const rule = await rest('POST', 'rules', {
    name: 'Tell Billing',
    enabled: true,
    trigger: { on: 'ticket_created' },
    actions: [
      { ...texts, team_id: team.id },
      { ...texts, address: 'supplier@example.com' },
    ],
  });
  const makeTicket = () =>
    rest('POST', 'tickets', { subject: 'Help', body: 'Hello', requester: { key: 'ann', name: 'Ann' } });
  const { id } = await makeTicket();
  await until(async () => mailbox.received.length === 2);
  expect(told()).toEqual([member.email, 'supplier@example.com'].toSorted());
  for (const mail of mailbox.received) {
    expect(mail.headers).toMatchObject({ subject: `Ticket ${id}`, 'auto-submitted': 'auto-generated' });
    expect(shown(mail)).toContain('From Ann');
    expect(shown(mail).includes('/app/')).toBe(mail.to.includes(member.email));
  }
  mailbox.received.length = 0;
  await rest('PATCH', `teams?id=${team.id}`, { member_ids: [] });
  for (let turn = 0; turn < 10; turn += 1) await makeTicket();
  await until(async () => !(await rest('GET', `rules?id=${rule.id}`)).enabled);
  await until(async () => mailbox.received.length === 2);
  expect(told()).not.toContain(member.email);
  const [german, english] = byLanguage();
  expect(german?.headers).toMatchObject({ subject: 'Regel deaktiviert: Tell Billing' });
  expect(german && shown(german)).toContain(
    'Beim letzten Mal: Niemand erhält die E-Mail: Das Team Billing hat keine Mitglieder.',
  );
  expect(english?.headers).toMatchObject({ subject: 'Rule disabled: Tell Billing' });
  expect(english && shown(english)).toContain(
    'The last time: Nobody gets the email: the team Billing has no members.',
  );
});

it('admins also get a mail about a receiver that is gone for good, each in the language of their desk', async () => {
  mailbox.received.length = 0;
  const { failOnce } = await webhook(410);
  await failOnce();
  await until(async () => mailbox.received.length === 2);
  const [german, english] = byLanguage();
  expect(german && shown(german)).toContain('Der Empfänger hat mit 410 Gone geantwortet');
  expect(english && shown(english)).toContain('The receiver answered 410 Gone.');
});
