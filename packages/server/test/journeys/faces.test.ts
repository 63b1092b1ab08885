import { randomUUID } from 'node:crypto';
import type { KnowledgeSource, OfficeHours, Phrase } from '@foyer/protocol';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { words as baseWords } from '../../../dashboard/src/languages/en.ts';
import { words as inboxWords } from '../../../dashboard/src/screens/inbox/languages/en.ts';
import { words as writingWords } from '../../../dashboard/src/screens/inbox/writing/languages/en.ts';
import { words as visitorsWords } from '../../../dashboard/src/screens/visitors/languages/en.ts';
import { formsOf } from '../../../protocol/test/phrase-faults.ts';
import { holdDemoChats } from '../../src/demo/chats.ts';
import { findTeam } from '../../src/demo/team.ts';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { findAgentOfUser } from '../../src/sites/agents/agents.ts';
import { findAccount } from '../../src/sites/sign-in/accounts.ts';
import { createResetLink } from '../../src/sites/sign-in/password-resets.ts';
import { newSetupLink } from '../../src/sites/sign-in/setup.ts';
import { getSite } from '../../src/sites/sites.ts';
import { PASSWORD, startTestApp, type TestApp } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin } from '../desk-tabs.ts';
import { makePdf, putKnowledgeFile } from '../documents.ts';
import { examples } from '../examples.ts';
import { lookedAt, openFaces, PHONE, screensOf } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { type Receiver, startReceiver } from '../receiver.ts';
import { TestSocket } from '../sockets.ts';

// Every screen of the desk and every state of the widget, in light and dark, on a desktop and on a phone.

const EMAIL = 'ada@example.com';
/** A handoff's summary is written once, for the whole team, and stored. */
const STORED_SUMMARY = 'The visitor asked for a person.';
const ENGLISH_TABLES = [baseWords, inboxWords, writingWords, visitorsWords];

let browser: TestBrowser;
let app: TestApp;
let url: string;
let receiver: Receiver;
let cookie: string;

beforeAll(async () => {
  // Files share a worker: screens that another one has checked don't count here.
  lookedAt.clear();
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app, receiver] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port), FOYER_PLAN: 'free' }),
    startReceiver(),
  ]);
});
// An open page would count as an agent who is online.
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));
afterAll(async () => {
  await browser.close();
  await Promise.all([app.close(), receiver.close()]);
});

const asked = async <T>(operation: string, input: object = {}): Promise<T> => {
  const { status, body } = await app.desk(cookie, operation, input);
  if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
};

async function fillSite(): Promise<void> {
  const { db } = app.app.database;
  await db.updateTable('sites').set({ plan: 'growth' }).execute();
  const account = await findAccount(db, EMAIL);
  const found = account && (await findAgentOfUser(db, account.userId));
  if (!found) throw new Error('the set-up made no agent');
  // A new site has no articles of its own.
  await importSampleKnowledge(app.app.contextFor(found.site, { kind: 'operator' }));
  const team = await findTeam(db, found);
  await holdDemoChats({ app: app.app, site: found.site, team, pageUrl: `${url}/demo` });
  const { public_key } = await getSite(db, found.site.id);
  const { socket } = await TestSocket.visitor(url, public_key);
  await socket.call('chat.send', { session_id: null, client_id: randomUUID(), text: 'Is Mars a planet?' });
}

const DAY = [
  { from: '09:00', to: '12:30' },
  { from: '13:30', to: '17:00' },
];
const OFFICE_HOURS: OfficeHours = {
  time_zone: 'Europe/Berlin',
  weekly: { monday: DAY, tuesday: DAY, wednesday: DAY, thursday: DAY, friday: DAY, saturday: [], sunday: [] },
  holidays: [{ date: '2026-12-25', name: 'Christmas Day' }],
};

const widgetOf = (page: Page): FrameLocator => page.frameLocator('iframe[src*="/widget/"]');

describe('every screen passes axe without browser errors', () => {
  it('from the setup link to the first chat', async () => {
    const { page, look, found } = await openFaces(browser, { url });
    await page.goto((await newSetupLink(app.app.database.db, url)) ?? '');
    await page.getByLabel('Your name').fill('Ada Winter');
    await look('setup');
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Site name').fill('Lantern & Loom');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('Your chat is ready').waitFor();
    await page.getByRole('button', { name: /chat/i }).waitFor();
    await look('setup-done');
    await page.getByRole('button', { name: 'Go to inbox' }).click();
    await page.getByText('Nothing waiting').waitFor();
    await page.getByRole('list', { name: 'First steps' }).waitFor();
    await look('inbox-empty');
    // The free plan allows one agent.
    await page.goto(`${url}/app/settings/agents`);
    await page.getByText('Agent limit reached').waitFor();
    await look('team-full');
    expect(found).toEqual([]);
  });

  it('before the sign-in', async () => {
    cookie = await app.signIn(EMAIL);
    await fillSite();
    const { page, look, found, allow } = await openFaces(browser, { url });
    // The desk requests the signed-in agent; the browser logs the 401.
    allow(/status of 401/);
    await page.goto(`${url}/app/`);
    await page.getByLabel('Email').fill(EMAIL);
    await page.getByLabel('Password').fill('not the password');
    await look('sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await look('sign-in-refused');
    const { url: link } = await asked<{ url: string }>('agents.invite', {
      email: 'second@example.com',
      role: 'agent',
    });
    await page.goto(link);
    await page.getByText('Join Lantern & Loom').waitFor();
    await look('invitation');
    allow(/status of 404/);
    await page.goto(`${url}/app/setup#spent`);
    await page.getByText('This link is no longer valid').waitFor();
    await look('setup-spent');
    await page.goto(`${url}/app/forgot-password`);
    await page.getByText('npx foyer user reset-password EMAIL').waitFor();
    await look('forgot-no-mail');
    await page.route('**/app/password/options', (route) =>
      route.fulfill({ json: { ok: true, data: { mail: true }, request_id: 'req_1' } }),
    );
    await page.reload();
    await page.getByLabel('Email').fill(EMAIL);
    await look('forgot-password');
    await page.getByRole('button', { name: 'Send reset link' }).click();
    await page.getByText(`If an account exists for ${EMAIL}`).waitFor();
    await look('reset-link-sent');
    await page.goto(`${url}/app/reset-password#spent`);
    await page.getByText('This link is no longer valid').waitFor();
    await look('reset-spent');
    const { db } = app.app.database;
    const { userId } = (await findAccount(db, EMAIL)) ?? { userId: '' };
    const reset = await createResetLink(db, { userId, baseUrl: url, now: new Date() });
    await page.goto(reset.url);
    await page.reload();
    await page.getByLabel('New password').fill('password123');
    allow(/status of 400/);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('is too easy to guess').waitFor();
    await look('reset-password');
    expect(found).toEqual([]);
  });

  it('the inbox', { timeout: 90_000 }, async () => {
    await asked('macros.create', {
      name: 'Ask for photos',
      actions: [
        { type: 'set_status', status: 'pending' },
        { type: 'reply', body: 'Two photos, please, {{visitor.name}}. Ticket {{ticket.id}}' },
      ],
    });
    await asked('macros.create', {
      name: 'Only for tickets',
      actions: [{ type: 'set_priority', priority: 'low' }],
    });
    const { page, look, found, allow, context } = await openFaces(browser, { cookie, url });
    await page.goto(`${url}/app/inbox`);
    await page.getByRole('list', { name: 'Chats and tickets' }).getByRole('link', { name: /Priya/ }).click();
    await page.getByRole('button', { name: 'Join chat' }).waitFor();
    await look('chat-waiting');
    await page.getByRole('button', { name: 'Join chat' }).click();
    await page.getByRole('textbox', { name: 'Reply' }).press('/');
    // Keys before the list is shown must go to the list, and not to the visitor.
    await page.keyboard.type('phot');
    await page.getByText('1 action is skipped').waitFor();
    expect(await page.getByRole('option', { name: 'Only for tickets' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Apply macro' }).waitFor();
    await look('chat-macro');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe(
      'Two photos, please, Priya Nair. Ticket',
    );
    await page.getByRole('textbox', { name: 'Reply' }).fill('Hello **Priya**, could you send us two photos?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('log').getByText('could you send us').waitFor();
    await page.getByRole('tab', { name: 'Note' }).click();
    const write = page.getByRole('region', { name: 'Write', exact: true });
    await write.getByRole('textbox', { name: 'Note' }).fill('The third cracked shade this month.');
    await look('chat-note');
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByRole('log').getByText('The third cracked').waitFor();
    await page.getByRole('button', { name: /Add tag/ }).click();
    await look('chat-tagging');
    await page.keyboard.press('Escape');
    allow(/ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await page.getByRole('tab', { name: 'Reply' }).click();
    await page.getByRole('textbox', { name: 'Reply' }).fill('Written without a line');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('log').getByText('Written without a line').waitFor();
    await look('chat-offline');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Close chat' }).click();
    await page.getByText(/^Chat with .+ closed$/).waitFor();
    await look('chat-closing');
    await page.getByRole('button', { name: 'Keep open' }).click();
    await page.getByRole('button', { name: 'Close chat' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Change presence' }).waitFor();
    await look('palette');
    await page.keyboard.type('mira');
    await page.getByRole('group', { name: 'Visitors' }).getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('body').press('l');
    await page.getByRole('combobox').fill('Fragile');
    await look('palette-tag');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove tag Fragile' }).waitFor();
    await page.getByRole('link', { name: 'Closed' }).click();
    await page.getByRole('list', { name: 'Chats and tickets' }).getByRole('link', { name: /Mira/ }).click();
    await page.getByText('5 of 5').first().waitFor();
    await look('chat-closed');
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await look('shortcuts');
    await page.keyboard.press('Escape');
    allow(/status of 404/);
    await goWithin(page, '/app/inbox/ses_0000000000000000000000');
    await page.getByText('Chat not found').waitFor();
    await look('chat-missing');
    expect(found).toEqual([]);
  });

  const SCREENS: [name: string, path: string, shows: string | RegExp][] = [
    ['visitors', 'visitors', 'Priya Nair'],
    ['visitor', 'visitors/demo-priya', 'History'],
    ['first-steps', 'first-steps', 'Dismiss'],
    ['visitors-here', 'visitors/here', 'Visitors on your site right now'],
    ['segments', 'visitors/segments', 'No segments yet'],
    ['segment-new', 'visitors/segments/new', 'New segment'],
    ['knowledge', 'knowledge', 'Warranty'],
    ['knowledge-nothing', 'knowledge?q=zzzz', /nothing|no article/i],
    ['article-new', 'knowledge/new', 'New article'],
    ['import', 'knowledge/import', 'Import format'],
    ['starters', 'knowledge/starters', 'Conversation starters'],
    ['categories', 'knowledge/categories', 'New category'],
    ['help-centre', 'knowledge/help-centre', 'Visibility'],
    ['training', 'knowledge/training', 'New row'],
    ['synonyms', 'knowledge/synonyms', 'Groups'],
    ['deleted', 'knowledge/deleted', 'No deleted articles'],
    ['sources', 'knowledge/sources', 'No sources yet'],
    ['bot', 'knowledge/bot', 'Answer visitors'],
    ['actions', 'knowledge/actions', 'No actions'],
    ['action-new', 'knowledge/actions/new', 'Add step'],
    ['action-log', 'knowledge/actions/log', 'No calls yet'],
    ['evaluation', 'knowledge/evaluation', 'New set'],
    ['gaps', 'knowledge/gaps', 'Is Mars a planet?'],
    ['reports', 'reports', 'Chats by current status'],
    ['reports-waiting', 'reports?report=responses', 'Resolution time for chats'],
    ['reports-hours', 'reports?report=hours&range=7d', 'Busiest on'],
    ['reports-satisfaction', 'reports?report=satisfaction', 'Quick and clear'],
    ['settings-macros', 'settings/macros', 'Ask for photos'],
    ['settings-macro-new', 'settings/macros/new', 'New macro'],
    ['settings-tags', 'settings/tags', 'Fragile'],
    ['settings-import', 'settings/import', 'Visitors from CSV'],
    ['settings-audit', 'settings/audit', 'Who changed what'],
    ['settings-mail-log', 'settings/mail-log', 'No suspended emails'],
    ['settings-blocked', 'settings/blocked', 'Nothing is blocked'],
    ['settings-site', 'settings/site', 'Allowed origins'],
    ['settings-widget', 'settings/widget', 'Pre-chat questions'],
    ['settings-survey', 'settings/survey', /Leave empty/],
    ['settings-install', 'settings/install', /script/],
    ['settings-hours', 'settings/hours', 'Time zone'],
    ['settings-routing', 'settings/routing', 'Return chats after'],
    ['settings-team', 'settings/agents', 'second@example.com'],
    ['settings-fields', 'settings/fields', 'No fields'],
    ['settings-field-new', 'settings/fields/new', 'Visible to customers'],
    ['settings-roles', 'settings/roles', 'No custom roles'],
    ['settings-role-new', 'settings/roles/new', 'Answer chats and tickets'],
    ['settings-proactive', 'settings/proactive', 'No proactive messages'],
    ['settings-proactive-new', 'settings/proactive/new', 'Schedule'],
    ['settings-slas', 'settings/slas', 'No SLA policies'],
    ['settings-sla-new', 'settings/slas/new', 'How time counts'],
    ['settings-rules', 'settings/rules', 'No rules yet'],
    ['settings-rule-new', 'settings/rules/new?template=vip', 'Stop after this rule'],
    ['settings-rule-log', 'settings/rules/log', 'No runs yet'],
    ['settings-teams', 'settings/teams', 'No teams'],
    ['settings-team-new', 'settings/teams/new', 'Own office hours'],
    ['settings-providers', 'settings/single-sign-on', 'No identity providers'],
    ['settings-provider-new', 'settings/single-sign-on/new', 'Test connection'],
    ['settings-tokens', 'settings/tokens', 'Nightly export'],
    ['settings-webhooks', 'settings/webhooks', 'The order desk'],
    ['settings-mailbox-new', 'settings/mailboxes/new', 'Test connection'],
    ['settings-mailbox-sign-in', 'settings/mailboxes/sign-in', 'the end of a sign-in'],
    ['settings-mail', 'settings/mail', 'Emails Foyer sends'],
    ['settings-plan', 'settings/plan', 'Change plan'],
    ['settings-data', 'settings/data', /This period is fixed/],
    ['settings-redaction', 'settings/redaction', 'Your own patterns'],
    ['settings-account', 'settings/account', 'Devices'],
    ['settings-notifications', 'settings/notifications', 'Push on this device'],
    ['settings-preferences', 'settings/preferences', 'Appearance'],
    ['nothing', 'nothing-here', 'Page not found'],
  ];

  it('everything around the inbox', { timeout: 240_000 }, async () => {
    await asked('api_tokens.create', { name: 'Nightly export', scopes: 'read' });
    await asked('site.update', { office_hours: OFFICE_HOURS });
    const allowed_origins = ['https://lantern.example', 'https://www.lantern.example'];
    await asked('browser_tokens.create', { name: 'Shop pages', allowed_origins });
    const webhook = await asked<{ id: number }>('webhook_subscriptions.create', {
      url: receiver.url,
      description: 'The order desk',
      events: ['handoff', 'feedback'],
    });
    await asked('webhook_subscriptions.test', { id: webhook.id });
    await receiver.received(1);
    const { page, look, found } = await openFaces(browser, { cookie, url });
    await page.goto(`${url}/app/`);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    const lookAt = async (screens: typeof SCREENS): Promise<void> => {
      for (const [name, path, shows] of screens) {
        await goWithin(page, `/app/${path}`);
        await page.getByText(shows).locator('visible=true').first().waitFor();
        await look(name);
      }
    };
    await lookAt(SCREENS);
    // On a phone, the list of settings is shown without one of them open beside it.
    await page.setViewportSize(PHONE);
    await lookAt([['settings', 'settings', 'Audit log']]);
    const rule = { any: [{ attribute: 'email', op: 'set' }] };
    const segment = await asked<{ id: number }>('segments.create', { name: 'With an address', rule });
    const set = await asked<{ id: number }>('question_sets.create', { name: 'About returns' });
    const brought = await asked<{ id: number }>('imports.create', {
      kind: 'visitors',
      file_name: 'people.csv',
      bytes: 100,
    });
    const mailbox = await asked<{ id: number }>('mailboxes.create', {
      address: 'help@lantern.example',
      imap: { host: '127.0.0.1', port: 9, user: 'help', password: 'open sesame' },
    });
    const action = await asked<{ id: number }>('actions.create', {
      name: 'Order status',
      label: 'Track my order',
      steps: [{ id: 'say', type: 'say', text: 'It is on its way.' }],
    });
    const content = makePdf([[{ text: 'Lamps have a warranty of five years.' }]]);
    await putKnowledgeFile(url, cookie, { name: 'terms.pdf', content });
    const [source] = await asked<KnowledgeSource[]>('knowledge_sources.list');
    const sitemap = await asked<KnowledgeSource>('knowledge_sources.create', {
      kind: 'sitemap',
      url: 'http://127.0.0.1:9/sitemap.xml',
    });
    const macros = await asked<{ id: number }[]>('macros.list');
    const provider = await asked<{ id: number }>(
      'identity_providers.create',
      examples['identity_providers.create'](),
    );
    const field = await asked<{ id: number }>('fields.create', examples['fields.create']());
    const role = await asked<{ id: number }>('roles.create', examples['roles.create']());
    const team = await asked<{ id: number }>('teams.create', { name: 'Billing', emoji: '💳' });
    const sla = await asked<{ id: number }>('sla_policies.create', examples['sla_policies.create']());
    const proactive = await asked<{ id: number }>(
      'proactive_messages.create',
      examples['proactive_messages.create'](),
    );
    // A list that is already loaded need not show what others created in the last minute.
    await page.reload();
    await lookAt([
      ['segment', `visitors/segments/${segment.id}`, 'Preview'],
      ['question-set', `knowledge/evaluation/${set.id}`, 'About returns'],
      ['macro', `settings/macros/${macros[0]?.id}`, 'Edit macro'],
      ['action', `knowledge/actions/${action.id}`, 'Edit action'],
      ['source', `knowledge/sources/${sitemap.id}`, 'The server can’t be reached.'],
      ['document', `knowledge/documents/${source?.document_id}`, 'Text as the bot reads it'],
      ['import-one', `settings/import/${brought.id}`, 'people.csv'],
      ['settings-mailboxes', 'settings/mailboxes', 'Failing'],
      ['settings-mailbox', `settings/mailboxes/${mailbox.id}`, 'Mail isn’t being read.'],
      ['settings-role-one', `settings/roles/${role.id}`, 'Answer chats and tickets'],
      ['settings-proactive-one', `settings/proactive/${proactive.id}`, 'Delete'],
      ['settings-sla-one', `settings/slas/${sla.id}`, 'Delete'],
      ['settings-field-one', `settings/fields/${field.id}`, 'Archive'],
      ['settings-team-one', `settings/teams/${team.id}`, 'Archive'],
      ['settings-provider', `settings/single-sign-on/${provider.id}`, 'Register Foyer there'],
      ['settings-provider-list', 'settings/single-sign-on', /^Login /],
      ['webhook-deliveries', `settings/webhooks/${webhook.id}`, 'Deliveries'],
    ]);
    const hasFocus = (name: string): Promise<void> =>
      expect
        .poll(() =>
          page.evaluate(`(({ ariaLabel, textContent }) => ariaLabel ?? textContent)(document.activeElement)`),
        )
        .toBe(name);
    await goWithin(page, '/app/settings/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('Name').fill('CRM');
    await page
      .getByRole('button', { name: /^(Make|Create|New)/ })
      .last()
      .click();
    await page.getByText('Your token').waitFor();
    // Copying is the dialog's purpose; afterwards the focus returns to the button that opened it.
    await hasFocus('Copy token');
    await look('token-once');
    await page.getByRole('button', { name: 'I’ve copied it' }).click();
    await hasFocus('New token');
    await page.getByRole('button', { name: 'More for CRM' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    // A row that is gone, or has no control left, passes the focus to its neighbour.
    await hasFocus('More for Nightly export');
    await page.getByRole('button', { name: 'More for Shop pages' }).click();
    await page.getByRole('menuitem', { name: 'Edit pages and expiry' }).click();
    await page.getByLabel('Allowed origins').waitFor();
    await look('token-pages');
    await goWithin(page, '/app/settings/install');
    await page.getByRole('button', { name: 'Create secret' }).click();
    await look('identity-secret-ask');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Create secret' }).click();
    await page.getByRole('heading', { name: 'Identity secret', exact: true }).waitFor();
    await page.getByRole('button', { name: 'I’ve copied it' }).click();
    await page.getByText('Identities are verified').waitFor();
    await look('identity-secret');
    await goWithin(page, '/app/knowledge');
    await page
      .getByRole('link', { name: /Warranty/ })
      .first()
      .click();
    await page.getByLabel('Title').waitFor();
    await look('article');
    expect(found).toEqual([]);
  });

  it('tickets among the chats', { timeout: 120_000 }, async () => {
    const { page, look, found } = await openFaces(browser, { cookie, url });
    const { id } = await asked<{ id: number }>('tickets.create', {
      subject: 'The lamp flickers, هل هذا طبيعي؟ and it hums from dusk till dawn in every room of the house',
      body: 'Since yesterday.',
      requester: { name: 'Jonas Lind', email: 'jonas@example.com' },
    });
    await asked('ticket_replies.create', { ticket_id: id, type: 'note', body: 'The third this month.' });
    await asked('saved_views.create', { name: 'Nobody has them', filter: { assignee_id: 'none' } });
    await asked('macros.create', {
      name: 'On its way',
      actions: [
        { type: 'reply', body: 'Hello {{visitor.name}}, a new one is on its way.' },
        { type: 'set_status', status: 'pending' },
      ],
    });
    await page.goto(`${url}/app/inbox?queue=unassigned`);
    await page.getByRole('list', { name: 'Chats and tickets' }).getByRole('link', { name: /Jonas/ }).click();
    await page.getByRole('log').getByText('The third this month').waitFor();
    await page.getByText('added a note').waitFor();
    await look('ticket');
    await page.getByRole('textbox', { name: 'Reply' }).press('/');
    await page.getByText('Hello Jonas Lind, a new one is on its way.').waitFor();
    await look('ticket-macro');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('log').getByText('Hello Jonas Lind').waitFor();
    await page.getByLabel('Priority').selectOption('urgent');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Change undone').waitFor();
    await expect.poll(() => page.getByLabel('Priority').inputValue()).toBe('normal');
    await page.locator('body').press('z');
    await page.getByLabel('Snooze until').fill('tomorrow 9:00');
    await look('ticket-snooze');
    await page.keyboard.press('Enter');
    await page
      .getByText(/^Snoozed until/)
      .first()
      .waitFor();
    await page.getByRole('link', { name: /^Snoozed/ }).click();
    await page
      .getByRole('list', { name: 'Chats and tickets' })
      .getByRole('link', { name: /Jonas/ })
      .waitFor();
    await page.locator('body').press('x');
    await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor();
    await look('selected');
    await page.locator('body').press('p');
    await page.getByRole('option', { name: 'High' }).click();
    await page.getByText('1 ticket set to High').waitFor();
    await page.locator('body').press('u');
    await page.getByText('1 change undone').waitFor();
    await page.locator('body').press('Escape');
    await page.getByRole('link', { name: /Nobody has them/ }).click();
    await page.getByText('No tickets').waitFor();
    await look('view-empty');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Priority').waitFor();
    await look('inbox-filters');
    expect(found).toEqual([]);
  });

  it('a screen that is first opened offline, which doesn’t break the desk', async () => {
    const ahead = await openBrowser({ fetchesAhead: true });
    const { page, look, found, allow, context } = await openFaces(ahead, { cookie, url });
    // Parts are fetched in order, each with its phrases: once a later one is there, the reports are complete.
    const fetched = page.waitForResponse(/WebhookScreen/);
    await page.goto(`${url}/app/inbox`);
    await (await fetched).finished();
    allow(/ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Reports' }).click();
    await page.getByRole('heading', { name: 'Reports' }).waitFor();
    await look('reports-offline');
    expect(found).toEqual([]);
    await ahead.close();
  });

  it('in German, without any English left', { timeout: 90_000 }, async () => {
    const { page, look, found } = await openFaces(browser, { cookie, url, locale: 'de-AT' });
    const english = ENGLISH_TABLES.flatMap((words) => Object.values<Phrase>(words))
      .flatMap(formsOf)
      // Shorter phrases may occur in a visitor's text.
      .filter((text) => /^[^{}]{12,}$/.test(text) && / /.test(text) && text !== STORED_SUMMARY);
    const nothingLeft = async (): Promise<void> => {
      const shown = await page.evaluate<string>(
        `[document.body.innerText, ...Array.from(document.querySelectorAll('[aria-label], [placeholder], [title]'),
          (one) => [one.ariaLabel, one.placeholder, one.title].join(' '))].join('\\n')`,
      );
      expect(english.filter((text) => shown.includes(text))).toEqual([]);
    };
    await page.goto(`${url}/app/inbox?queue=open`);
    await page.getByRole('link', { name: 'Alle offenen' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('list', { name: 'Chats und Tickets' }).getByRole('link', { name: /Priya/ }).click();
    await page.getByRole('tab', { name: 'Notiz' }).click();
    await page.getByRole('textbox', { name: 'Notiz' }).fill('Bitte morgen anrufen.');
    await page.getByRole('button', { name: 'Notiz hinzufügen' }).click();
    await page
      .getByRole('article', { name: /^Notiz von/ })
      .getByText('Bitte morgen anrufen.')
      .waitFor();
    await look('german-chat');
    await nothingLeft();
    await page.keyboard.press('Escape');
    await page.locator('body').press('?');
    await page.getByRole('dialog', { name: 'Tastenkürzel' }).waitFor();
    await nothingLeft();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Besucher', exact: true }).click();
    await page.getByRole('heading', { name: 'Besucher' }).waitFor();
    await look('german-visitors');
    await nothingLeft();
    await goWithin(page, '/app/settings/preferences');
    await page.getByRole('group', { name: 'Sprache' }).getByText('English').click();
    await page.getByRole('heading', { name: 'Language and appearance' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect((await asked<{ language: string }>('me.get')).language).toBe('en');
    await page.reload();
    await page.getByRole('group', { name: 'Language' }).getByText('Browser default').click();
    await page.getByRole('heading', { name: 'Sprache und Darstellung' }).waitFor();
    expect((await asked<{ language: string | null }>('me.get')).language).toBe(null);
    expect(found).toEqual([]);
  });

  it('and no screen of the router is missing', async () => {
    const { page } = await openFaces(browser, { cookie, url });
    await page.goto(`${url}/app/`);
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect((await screensOf(page)).filter((screen) => !lookedAt.has(screen))).toEqual([]);
  });

  it('the shop and its widget', { timeout: 120_000 }, async () => {
    const survey = { ask: 'after_bot', scale: 'faces', question: 'Wie war’s? هل ساعدناك؟', thanks: '' };
    await asked('site.update', { survey });
    const { page, look, found, allow, context } = await openFaces(browser, { url });
    const widget = widgetOf(page);
    const say = async (text: string): Promise<void> => {
      await widget.getByRole('textbox', { name: 'Write a message…' }).fill(text);
      await widget.getByRole('button', { name: 'Send', exact: true }).click();
    };
    const chat = widget.getByRole('region', { name: 'Chat', exact: true });
    await page.goto(`${url}/demo`);
    await page.getByRole('button', { name: /chat/i }).waitFor();
    await look('shop');
    await page.getByRole('button', { name: /chat/i }).click();
    await widget.getByRole('button', { name: /Send us a message/ }).waitFor();
    await look('widget-home');
    await widget.getByRole('button', { name: /Send us a message/ }).click();
    await say('How long does delivery take?');
    await chat.getByText('Delivery times and shipping costs').waitFor();
    await say('Is Pluto a planet?');
    await chat.getByText(/I don’t know that one/).waitFor();
    await look('widget-answers');
    const agent = await TestSocket.agent(url, cookie);
    await widget.getByRole('button', { name: 'Talk to a person' }).click();
    await widget.getByText('Waiting for less than a minute').waitFor();
    await look('widget-waiting');
    agent.cut();
    await widget.getByRole('textbox', { name: /email/ }).fill('nobody');
    await widget.getByRole('button', { name: 'Save email' }).click();
    await widget.getByRole('alert').waitFor();
    await look('widget-away');
    await widget.getByRole('textbox', { name: /email/ }).fill('mira@visitor.example');
    await widget.getByRole('button', { name: 'Save email' }).click();
    await chat.getByText('You left your email address').waitFor();
    allow(/ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await say('Written in a tunnel, هل تشحنون إلى المغرب؟');
    await chat.getByText('Will be sent when you’re back online').waitFor();
    await look('widget-offline');
    await context.setOffline(false);
    await chat.getByText(/^Sent/).waitFor();
    await widget.getByRole('button', { name: 'More' }).click();
    await look('widget-menu');
    await widget.getByRole('menuitem', { name: 'End chat' }).click();
    await look('widget-ending');
    await widget.getByRole('dialog').getByRole('button', { name: 'End chat' }).click();
    // The star that covers the radio button receives the click and passes it on.
    await widget.getByRole('radio', { name: /^4 out of 5/ }).check({ force: true });
    await look('widget-survey');
    await widget.getByRole('button', { name: 'Send rating' }).click();
    await widget.getByText('Thanks for your feedback!').waitFor();
    await widget.getByRole('button', { name: 'Back' }).click();
    await widget.getByText('Your chats').waitFor();
    await look('widget-home-again');
    expect(found).toEqual([]);
  });
});
