import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verify } from '@octokit/webhooks-methods';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { type CutLine, openLine } from '../cut-line.ts';
import { type Installation, makeInstallation } from '../foyer-process.ts';
import { type Answer, type Receiver, startReceiver } from '../receiver.ts';

// The main job, through real parts: the command line, a browser for each person, a receiver.

const SCREENSHOTS = fileURLToPath(new URL('../../../../screenshots/story/', import.meta.url));
const ARTICLES = fileURLToPath(new URL('../../src/cli/sample-articles.md', import.meta.url));
const QUESTIONS = [
  ['How many days do I have to return something?', 'Returning an item', /30 days/],
  ['How long is the warranty?', 'Warranty', /3 years/],
  ['Do you ship to Norway?', 'Shipping outside the European Union', /Norway and Switzerland/],
] as const;
const PASSWORD = 'correct horse battery';

interface Stage {
  foyer: Installation;
  receiver: Receiver;
  secret: string;
  token: string;
  visitorLine: CutLine;
  agentLine: CutLine;
}

let browser: TestBrowser;
beforeAll(async () => {
  await mkdir(SCREENSHOTS, { recursive: true });
  browser = await openBrowser();
});
afterAll(() => browser.close());

const open: Stage[] = [];
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  for (const stage of open.splice(0)) await strike(stage);
});

/** Everything that an operator does before the first visitor, in the way an operator does it. */
async function setStage({
  answer,
  environment = {},
}: {
  answer?: Answer;
  environment?: Record<string, string>;
} = {}): Promise<Stage> {
  let port = 0;
  const [visitorLine, agentLine] = await Promise.all([openLine(() => port), openLine(() => port)]);
  const receiver = await startReceiver(answer);
  const foyer = await makeInstallation({
    FOYER_WEBHOOK_ALLOW_PRIVATE: 'true',
    // The page, its script and the widget are loaded over the visitor's own connection.
    FOYER_BASE_URL: `http://localhost:${visitorLine.port}`,
    ...environment,
  });
  port = foyer.port;
  const stage: Stage = { foyer, receiver, secret: '', token: '', visitorLine, agentLine };
  open.push(stage);
  await foyer.start();
  const { id } = await foyer.foyer<{ id: number }>(
    'site',
    'create',
    '--name',
    'Lantern & Loom',
    '--plan',
    'growth',
  );
  const site = ['--site', String(id)];
  await foyer.foyer(
    'user',
    'create',
    ...site,
    '--email',
    'ada@example.com',
    '--name',
    'Ada',
    '--password',
    PASSWORD,
    '--role',
    'admin',
  );
  const { token } = await foyer.foyer<{ token: string }>(
    'token',
    'create',
    ...site,
    '--name',
    'story',
    '--scopes',
    'read,write',
  );
  expect(await foyer.foyer('kb', 'import', ...site, ARTICLES)).toMatchObject({
    created: 20,
    failed: [],
  });
  const made = await rest({ foyer, token }, 'POST', 'webhook_subscriptions', {
    url: receiver.url,
    events: ['handoff', 'feedback'],
  });
  return Object.assign(stage, { secret: made.data.secret, token });
}

async function strike({ foyer, receiver, visitorLine, agentLine }: Stage): Promise<void> {
  await Promise.all([visitorLine.close(), agentLine.close(), receiver.close()]);
  await foyer.remove();
}

async function rest(
  { foyer, token }: Pick<Stage, 'foyer' | 'token'>,
  method: string,
  path: string,
  body?: object,
): Promise<Json> {
  const response = await fetch(`${foyer.url}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.json();
}

async function openShop({ visitorLine }: Stage): Promise<{ page: Page; widget: FrameLocator }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`http://localhost:${visitorLine.port}/demo`);
  await page.getByRole('button', { name: /chat/i }).last().click();
  const widget = page.frameLocator('iframe[src*="/widget/"]');
  return { page, widget };
}

async function openDesk({ agentLine }: Stage): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`http://localhost:${agentLine.port}/app/`);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
  return page;
}

const say = async (widget: FrameLocator, text: string): Promise<void> => {
  await widget.getByRole('textbox', { name: 'Write a message…' }).fill(text);
  await widget.getByRole('button', { name: 'Send', exact: true }).click();
};

/** The messages themselves, without the announcements for screen readers. */
const chatOf = (widget: FrameLocator) => widget.getByRole('region', { name: 'Chat', exact: true });

const shot = (page: Page, name: string) => page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });

/** The bodies of an event, once there are `count`. */
async function eventsOf(
  receiver: Receiver,
  event: string,
  count: number,
): Promise<{ body: Json; raw: string; signature: string }[]> {
  let wanted = count;
  for (;;) {
    const requests = await receiver.received(wanted);
    const found = requests
      .map(({ body, headers }) => ({
        body: JSON.parse(body) as Json,
        raw: body,
        signature: headers['x-service-signature'] ?? '',
      }))
      .filter(({ body }) => body.event === event);
    if (found.length >= count) return found;
    wanted = requests.length + 1;
  }
}

describe('a visitor is helped', () => {
  it('from the first question to the rating', { timeout: 120_000 }, async () => {
    const stage = await setStage();
    const { page, widget } = await openShop(stage);
    await widget.getByRole('button', { name: /Send us a message/ }).click();
    await shot(page, '01-widget');

    const log = chatOf(widget);
    for (const [question, title, answer] of QUESTIONS) {
      await say(widget, question);
      await log.getByText(answer).first().waitFor();
      await log.getByText(title, { exact: true }).last().waitFor();
    }
    await shot(page, '02-answers');
    await say(widget, 'Is Pluto a planet?');
    await log.getByText(/I don’t know that one/).waitFor();
    await shot(page, '03-not-known');

    const desk = await openDesk(stage);
    await shot(desk, '04-inbox');
    await widget.getByRole('button', { name: 'Talk to a person' }).click();
    await widget.getByText('This chat was handed over to the team').first().waitFor();
    await shot(page, '05-waiting');

    const [handoff] = await eventsOf(stage.receiver, 'handoff', 1);
    expect(handoff?.body).toMatchObject({ handoff_reason: 'visitor_request', site_id: expect.any(Number) });
    expect(await verify(stage.secret, handoff?.raw ?? '', handoff?.signature ?? '')).toBe(true);

    const sessionId: string = handoff?.body.session_id;
    // The agent sees it without reloading.
    await desk.getByRole('list', { name: 'Chats and tickets' }).getByRole('link').first().click();
    for (const line of handoff?.body.summary.split('\n') ?? []) await desk.getByText(line).first().waitFor();
    await shot(desk, '06-handoff');
    await desk.getByRole('button', { name: 'Join chat' }).first().click();
    await log.getByText('Ada joined the chat').waitFor();
    await desk.getByRole('log').getByText('Assigned to Ada').waitFor();
    await desk.getByRole('textbox', { name: 'Reply' }).fill('Hello, I am Ada. What can I do for you?');
    await desk.getByRole('button', { name: 'Send', exact: true }).click();
    await log.getByText('Hello, I am Ada. What can I do for you?').waitFor();
    await shot(page, '07-person');
    await shot(desk, '08-conversation');

    const box = widget.getByRole('textbox', { name: 'Write a message…' });
    await box.pressSequentially('I am not sure yet');
    await desk.getByRole('log').getByText('I am not sure yet', { exact: true }).waitFor();
    await shot(desk, '08-unsent');
    await box.fill('');
    await desk.getByRole('log').getByText('I am not sure yet').waitFor({ state: 'detached' });

    // Both connections are cut; messages wait meanwhile, and arrive once after the reconnect.
    stage.visitorLine.cut();
    stage.agentLine.cut();
    await say(widget, 'Said by the visitor while offline');
    await log.getByText('Said by the visitor while offline').waitFor();
    await desk.getByRole('textbox', { name: 'Reply' }).fill('Said by the agent while offline');
    await desk.getByRole('button', { name: 'Send', exact: true }).click();
    await desk.getByRole('log').getByText('Said by the agent while offline').waitFor();
    await shot(page, '09-offline');
    await shot(desk, '10-offline');
    stage.visitorLine.mend();
    stage.agentLine.mend();
    await log.getByText('Said by the agent while offline').waitFor();
    await desk.getByRole('log').getByText('Said by the visitor while offline').waitFor();
    expect(await log.getByText('Said by the visitor while offline').count()).toBe(1);
    expect(await desk.getByRole('log').getByText('Said by the agent while offline').count()).toBe(1);

    await desk.getByRole('button', { name: 'Close chat' }).click();
    // Closing can be undone until the visitor is notified.
    await desk.getByRole('button', { name: 'Undo' }).click();
    await desk.getByRole('button', { name: 'Close chat' }).click();
    await desk.getByText(/^Chat with .+ closed$/).waitFor();
    // The star that covers the radio button receives the click and passes it on.
    await widget.getByRole('radio', { name: /^4 out of 5/ }).check({ force: true });
    await widget.getByRole('textbox', { name: /Anything you’d like to add/ }).fill('Quick and kind');
    await shot(page, '11-survey');
    await widget.getByRole('button', { name: 'Send rating' }).click();
    await widget.getByText('Thanks for your feedback!').waitFor();
    await shot(page, '12-thanks');

    const [feedback] = await eventsOf(stage.receiver, 'feedback', 1);
    expect(feedback?.body).toMatchObject({ session_id: sessionId, rating: 4, comment: 'Quick and kind' });
    expect(await verify(stage.secret, feedback?.raw ?? '', feedback?.signature ?? '')).toBe(true);

    const [handoffs, transcript, ratings, usage] = await Promise.all(
      ['handoffs', `transcripts?sessionId=${sessionId}`, 'feedback', 'usage'].map((path) =>
        rest(stage, 'GET', path),
      ),
    );
    expect(handoffs.data).toHaveLength(1);
    expect(handoffs.data[0]).toMatchObject({
      session_id: sessionId,
      summary: handoff?.body.summary,
      agent: { name: 'Ada' },
    });
    expect(ratings.data).toEqual([
      expect.objectContaining({ session_id: sessionId, rating: 4, comment: 'Quick and kind' }),
    ]);
    expect(usage.data).toMatchObject({ plan: 'growth', ai_replies: 4, agents: 1 });
    const texts: string[] = transcript.data.messages.map(({ text }: { text: string }) => text);
    expect(texts.filter((text) => text === 'Said by the visitor while offline')).toHaveLength(1);
    expect(texts.filter((text) => text === 'Said by the agent while offline')).toHaveLength(1);
    expect(transcript.data.messages.map(({ seq }: { seq: number }) => seq)).toEqual(
      texts.map((_, index) => index + 1),
    );
    const sources = transcript.data.messages.flatMap((message: { sources: { title: string }[] }) =>
      message.sources.map(({ title }) => title),
    );
    expect(sources).toEqual(QUESTIONS.map(([, title]) => title));
  });

  it('though the server is killed after the request for a person', { timeout: 120_000 }, async () => {
    // Until the server has died once, the receiver refuses everything: later deliveries come from the new process.
    let wasKilled = false;
    const stage = await setStage({
      answer: (response) => response.writeHead(wasKilled ? 204 : 503).end(),
      environment: { FOYER_WEBHOOK_DELAYS: '1s,1s,1s,1s,1s' },
    });
    const { page, widget } = await openShop(stage);
    await widget.getByRole('button', { name: /Send us a message/ }).click();
    await say(widget, QUESTIONS[0][0]);
    await chatOf(widget).getByText(QUESTIONS[0][2]).waitFor();
    await widget.getByRole('button', { name: 'Talk to a person' }).click();
    await widget.getByText('This chat was handed over to the team').first().waitFor();
    expect(await stage.foyer.end('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    const before = stage.receiver.requests.length;
    wasKilled = true;
    await stage.foyer.start();

    await stage.receiver.received(before + 1);
    const handoff = (await eventsOf(stage.receiver, 'handoff', 1)).at(-1);
    const ids = new Set(stage.receiver.requests.map(({ headers }) => headers['x-service-delivery']));
    expect(ids.size, 'every attempt is of the same delivery').toBe(1);
    expect(handoff?.body.handoff_reason).toBe('visitor_request');
    expect(await verify(stage.secret, handoff?.raw ?? '', handoff?.signature ?? '')).toBe(true);
    const desk = await openDesk(stage);
    await desk.getByRole('list', { name: 'Chats and tickets' }).getByRole('link').first().click();
    await desk.getByRole('button', { name: 'Join chat' }).first().click();
    await desk.getByRole('textbox', { name: 'Reply' }).fill('Still here.');
    await desk.getByRole('button', { name: 'Send', exact: true }).click();
    // The visitor's page was never reloaded.
    await chatOf(widget).getByText('Still here.').waitFor();
    await shot(page, '20-after-kill');
    const transcript = await rest(stage, 'GET', `transcripts?sessionId=${handoff?.body.session_id}`);
    expect(transcript.data.messages.map(({ seq }: { seq: number }) => seq)).toEqual(
      transcript.data.messages.map((_: unknown, index: number) => index + 1),
    );
  });
});
