import type { FrameLocator, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin, keepDesks } from '../desk-tabs.ts';
import { freePort } from '../foyer-process.ts';
import { until } from '../harness.ts';
import { answers } from '../model-replies.ts';
import { startModelStub } from '../model-stub.ts';

// What an owner does with the bot: teach it, try it, find its gaps, evaluate it, and reply with its help.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
let cookie: string;
const desks = keepDesks(() => ({ browser, app, url }));

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const ARTICLES = `title: Returning a lantern
---
You can send any lantern back within 40 days of its delivery, free of charge.
---
title: Care of wool
status: Published
---
Wash wool blankets by hand in cold water and dry them flat.
---
title: Delivery
status: Published
---
Parcels inside Europe arrive after three working days.
`;
const QUESTION = 'Can I send a lantern back?';

async function openWidget(): Promise<{ chat: FrameLocator; say(text: string): Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}/demo`);
  await page.getByRole('button', { name: /chat/i }).click();
  const chat = page.frameLocator('iframe[src*="/widget/"]');
  await chat.getByRole('button', { name: /Send us a message/ }).click();
  return {
    chat,
    async say(text) {
      await chat.getByRole('textbox', { name: 'Write a message…' }).fill(text);
      await chat.getByRole('button', { name: 'Send', exact: true }).click();
    },
  };
}

const NOT_KNOWN = /I don’t know that one/;

async function openArticle(page: Page, title: string): Promise<void> {
  await goWithin(page, '/app/knowledge');
  await page.getByRole('link', { name: title }).first().click();
  await page.getByLabel('Title', { exact: true }).waitFor();
}

async function setStatus(page: Page, title: string, status: string): Promise<void> {
  await openArticle(page, title);
  await page.getByLabel('Status').selectOption(status);
  await page.getByRole('button', { name: /^Save/ }).click();
  await page
    .getByText(/^Article saved/)
    .first()
    .waitFor();
}

/** Whether the text is visible without scrolling. */
const inView = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const log = element.closest('[role=log]')?.getBoundingClientRect();
    const own = element.getBoundingClientRect();
    return log !== undefined && own.top >= log.top && own.bottom <= log.bottom + 1;
  });

describe('an owner and the bot', () => {
  it('imports an article, publishes it for the bot, and archives it, after which the bot doesn’t know', async () => {
    const { page, found } = await desks.faces(site.admin.email, 'knowledge/import');
    await page.getByRole('textbox', { name: 'Markdown' }).fill(ARTICLES);
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByRole('button', { name: 'Import 3 articles' }).click();
    await page.getByText('3 articles created').waitFor();

    const draft = await openWidget();
    await draft.say(QUESTION);
    await draft.chat.getByText(NOT_KNOWN).first().waitFor();

    await setStatus(page, 'Returning a lantern', 'Published');
    const published = await openWidget();
    await published.say(QUESTION);
    await published.chat
      .getByText(/within 40 days/)
      .first()
      .waitFor();
    await published.chat.getByText('Returning a lantern').first().waitFor();

    await setStatus(page, 'Returning a lantern', 'Archived');
    const archived = await openWidget();
    await archived.say(QUESTION);
    await archived.chat.getByText(NOT_KNOWN).first().waitFor();
    expect(await archived.chat.getByText(/within 40 days/).count()).toBe(0);
    expect(found).toEqual([]);
  });

  it('tries the bot beside its settings, with the reasons, without creating a chat', async () => {
    const { page, look, found } = await desks.faces(site.admin.email, 'knowledge/bot');
    const stored = async (): Promise<number> =>
      (await app.app.database.pool.query('select count(*)::int as n from conversations')).rows[0].n;
    const before = await stored();
    const trial = page.getByRole('region', { name: 'Try the bot' });
    const box = trial.getByLabel('Your question');
    const ask = async (text: string): Promise<void> => {
      await box.fill(text);
      await box.press('Enter');
    };
    await ask('How long does a parcel inside Europe take?');
    await trial.getByText(/after three working days/).waitFor();
    await trial.getByRole('list', { name: 'Sources' }).getByRole('link', { name: 'Delivery' }).waitFor();
    await trial.getByText(/the bot answers from 72%/).waitFor();
    await look('bot-trial');
    await ask('Is Pluto a planet?');
    await trial.getByText(NOT_KNOWN).waitFor();
    const name = page.getByLabel('Name');
    const saved = await name.inputValue();
    await name.fill('Lumi');
    await trial.getByText('Uses the saved settings.').waitFor();
    await ask('Who won the election?');
    await trial.getByText('The bot hands the chat over to your team.').waitFor();
    await expect.poll(() => inView(trial.getByText(/second question in a row/))).toBe(true);
    expect(await box.isDisabled()).toBe(true);
    await trial.getByRole('button', { name: 'Start over' }).click();
    expect(await trial.getByText(NOT_KNOWN).count()).toBe(0);
    await ask('I want to talk to a human');
    await trial.getByText('The visitor asks for a person.').waitFor();
    expect(await stored()).toBe(before);
    // Unsaved changes would open a dialog.
    await name.fill(saved);
    expect(found).toEqual([]);
  });

  it('finds a gap, writes its article, and sees the gap closed', async () => {
    const { page, look, found } = await desks.faces(site.admin.email, 'knowledge/gaps');
    await page.getByRole('button', { name: /send a lantern back/ }).click();
    await page.getByRole('link', { name: 'Write article' }).waitFor();
    await look('gaps');
    await page.getByRole('link', { name: 'Write article' }).click();
    await page.getByRole('region', { name: 'Asked by visitors' }).waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe(QUESTION);
    await page.getByLabel('Title', { exact: true }).fill('Sending a lantern back');
    await page.getByRole('textbox', { name: 'Text' }).fill('You have 45 days to send a lantern back.');
    await page.getByLabel('Status').selectOption('Published');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page
      .getByText(/^Article saved/)
      .first()
      .waitFor();
    await until(async () => (await app.desk(cookie, 'gaps.list', { state: 'solved' })).body.data.length > 0);
    await goWithin(page, '/app/knowledge/gaps?state=solved');
    await page.getByRole('button', { name: /send a lantern back/ }).click();
    await page.getByRole('link', { name: 'Sending a lantern back' }).waitFor();
    await goWithin(page, '/app/knowledge/gaps?state=dismissed');
    await page.getByText('No dismissed gaps').waitFor();
    expect(found).toEqual([]);
  });

  it('connects the site’s own language model, sees its error, and removes it', async () => {
    const stub = await startModelStub();
    const message = 'Incorrect API key provided';
    stub.behave({ kind: 'refuses', status: 401, body: JSON.stringify({ error: { message } }) });
    const { page, look, found } = await desks.faces(site.admin.email, 'knowledge/bot');
    await page.getByText(/^No language model is set up/).waitFor();
    await look('bot-no-model');
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Base URL').fill(stub.url);
    await dialog.getByLabel('Model', { exact: true }).fill('large-2');
    await dialog.getByLabel('API key').fill('sk-of-the-shop-012345');
    await look('bot-model-dialog');
    await dialog.getByRole('button', { name: 'Save and test' }).click();
    await page.getByText('The provider doesn’t accept the key.').waitFor();
    await page.getByText(message).waitFor();
    await page.getByText('Key ending in 2345').waitFor();
    await page.getByText('Answers of the language model').waitFor();
    await look('bot-model-refused');
    stub.behave({ kind: 'writes', pieces: ['Ready'] });
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText(/^It works: the model answered in/).waitFor();
    const trial = page.getByRole('region', { name: 'Try the bot' });
    const ask = async (text: string): Promise<void> => {
      await trial.getByLabel('Your question').fill(text);
      await trial.getByLabel('Your question').press('Enter');
    };
    stub.behave(answers('arrive after three working days', 'It takes 3 working days.'));
    await ask('How long does a parcel take?');
    await trial.getByText('The language model answered from the quotes below.').waitFor();
    await trial.getByText('Tokens: 120 read, 30 written.').waitFor();
    await trial.getByText('arrive after three working days').waitFor();
    await look('bot-trial-model');
    stub.behave(answers('arrive after three working days', 'It takes 99 days.'));
    await ask('Really?');
    await trial.getByText('withheld: your articles don’t say “99”').waitFor();
    expect(await trial.getByText('It takes 99 days.').count()).toBe(0);
    await look('bot-trial-withheld');
    await page.getByRole('switch', { name: 'Use a language model' }).click();
    await page.getByText(/^Off\. The bot quotes your articles/).waitFor();
    await page.getByText('Answers of the language model').waitFor({ state: 'detached' });
    await look('bot-model-off');
    await page.getByRole('switch', { name: 'Use a language model' }).click();
    await page.getByText('Key ending in 2345').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText(/^No language model is set up/).waitFor();
    expect(found).toEqual([]);
    await stub.close();
  });

  it('evaluates it before and after a change', async () => {
    const { page, look, found } = await desks.faces(site.admin.email, 'knowledge/evaluation');
    await page.getByText('No question sets yet').waitFor();
    await page.getByRole('button', { name: 'New set' }).click();
    await page.getByLabel('Name').fill('What customers ask most');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Import questions' }).click();
    await page
      .getByRole('textbox', { name: 'Questions' })
      .fill(
        `question,expected\n${QUESTION},Sending a lantern back\nHow do I wash a wool blanket?,Care of wool\nDo you sell car tyres?,unknown\nI want to talk to a human,handoff\nWhen does my parcel arrive?,Nowhere\n`,
      );
    await page.getByRole('button', { name: 'Import', exact: true }).last().click();
    await page.getByText(/Line 6 expects "Nowhere"/).waitFor();
    await look('questions-imported');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('The bot says it doesn’t know').waitFor();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('textbox', { name: 'Question' }).fill('Half a question');
    const search = page.getByRole('searchbox', { name: 'Search articles' });
    await search.fill('wool');
    await search.press('Escape');
    expect(await search.inputValue()).toBe('');
    expect(await page.getByRole('textbox', { name: 'Question' }).inputValue()).toBe('Half a question');
    await search.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('2 of 2').first().waitFor();
    await setStatus(page, 'Sending a lantern back', 'Archived');
    await goWithin(page, '/app/knowledge/evaluation');
    await page.getByRole('link', { name: /What customers ask most/ }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('50%').first().waitFor();
    await page.getByLabel('Show').last().selectOption('changed');
    await page.getByText('Before').first().waitFor();
    await look('evaluation-changed');
    await goWithin(page, '/app/knowledge/evaluation');
    await page.getByText('4 questions').waitFor();
    expect(found).toEqual([]);
  });

  it('adds a handoff rule, which the bot follows', async () => {
    const { page, look, found } = await desks.faces(site.admin.email, 'knowledge/bot');
    await page.getByText('Two questions in a row without an answer').waitFor();
    await page.getByRole('button', { name: 'New rule' }).click();
    await page.getByLabel('Name').last().fill('Money');
    await page.getByLabel('Message contains').fill('refund*\nmoney back\nاسترداد');
    await page.getByText('When the message contains').waitFor();
    await look('bot-rule');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^When the message contains .*refund\*/).waitFor();
    await look('bot-rules');
    const visitor = await openWidget();
    await visitor.say('I demand to be refunded');
    await visitor.chat.getByText('This chat was handed over to the team').first().waitFor();
    expect(found).toEqual([]);
  });

  it('replies with its help, and returns the chat to it', async () => {
    const visitor = await openWidget();
    await visitor.say('I want to talk to a human');
    await visitor.chat.getByText('This chat was handed over to the team').first().waitFor();
    const { page, look, found, allow } = await desks.faces(site.admin.email, 'inbox');
    await page
      .getByRole('list', { name: 'Chats and tickets' })
      .getByRole('link', { name: /talk to a human/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Join chat' }).click();
    await visitor.chat.getByText('Ada joined the chat').first().waitFor();
    await visitor.say('How do I wash a wool blanket?');
    await page.getByRole('log').getByText('How do I wash a wool blanket?').waitFor();
    await page.getByRole('button', { name: 'Suggest a reply' }).click();
    await page.getByText('Review it before you send it.').waitFor();
    const draft = page.getByRole('textbox', { name: 'Reply' });
    expect(await draft.inputValue()).toContain('cold water');
    await look('copilot');
    expect(await visitor.chat.getByText(/cold water/).count()).toBe(0);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await visitor.chat
      .getByText(/cold water/)
      .first()
      .waitFor();

    await page.getByRole('log').getByText('How do I wash a wool blanket?').hover();
    await page.getByRole('button', { name: 'Add to question set' }).last().click();
    allow(/status of 409/);
    await page.getByRole('button', { name: 'Care of wool' }).click();
    await look('collect');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    // The set already has the question, and the dialog keeps what was chosen.
    await page.getByText('This question already exists.').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'More chat actions' }).click();
    await page.getByRole('menuitem', { name: 'Summarise chat' }).click();
    await page
      .getByText(/the team answered/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.getByRole('button', { name: 'More chat actions' }).click();
    await page.getByRole('menuitem', { name: 'Draft article' }).click();
    await page.getByText('Draft created. Check it, then publish it.').waitFor();
    expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe(
      'How do I wash a wool blanket?',
    );
    await page
      .locator('.ProseMirror')
      .getByText(/cold water/)
      .waitFor();
    await look('article-of-a-chat');
    await page.goBack();
    await page.getByRole('button', { name: 'More chat actions' }).click();
    await page.getByRole('menuitem', { name: 'Return to bot' }).click();
    await visitor.chat.getByText('The assistant is answering again').first().waitFor();
    await visitor.say('How long does a parcel inside Europe take?');
    await visitor.chat
      .getByText(/three working days/)
      .first()
      .waitFor();
    expect(found).toEqual([]);
  });
});
