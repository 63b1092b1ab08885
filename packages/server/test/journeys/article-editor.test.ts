import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { keepDesks } from '../desk-tabs.ts';
import { freePort } from '../foyer-process.ts';

// How the team writes articles without seeing their markdown, in a real browser.

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

const save = async (input: object): Promise<{ id: number; body: string }> => {
  const { body } = await app.desk(cookie, 'articles.save', input);
  return body.data.article;
};
const bodyOf = async (id: number): Promise<string> =>
  (await app.rest(site.read, 'GET', `/v1/articles?id=${id}`)).body.data.body;

/** An article in the editor, and its text once it is saved. */
async function openArticle(body: string) {
  const { id } = await save({ title: `Lamps ${randomUUID()}`, status: 'Published', body });
  const faces = await desks.faces(site.admin.email, `knowledge/${id}`);
  const { page } = faces;
  const text = page.getByRole('textbox', { name: 'Text' });
  await text.waitFor();
  const saved = async (): Promise<string> => {
    const answered = page.waitForResponse('**/api/articles.save');
    await text.press('Control+s');
    await answered;
    return bodyOf(id);
  };
  return { ...faces, id, text, saved };
}

const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true });

/** The browser reports a moved caret in its next frame, later than the next key of a test. */
const settled = (page: Page): Promise<void> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

/** Code for the page, whose types tests don't have; `given` is its argument. */
const inPage = (code: string) =>
  new Function('element', 'given', `return (async () => { ${code} })()`) as (
    element: unknown,
    given: unknown,
  ) => Promise<unknown>;

/** Pastes what a program puts on the clipboard. */
const paste = (page: Page, data: Readonly<Record<string, string>>): Promise<unknown> =>
  page.getByRole('textbox', { name: 'Text' }).evaluate(
    inPage(`
      const clipboardData = new DataTransfer();
      for (const [type, content] of Object.entries(given)) clipboardData.setData(type, content);
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));`),
    data,
  );

/** Draws an image and drops it below the first paragraph, as from a folder. */
const DROP_PICTURE = inPage(`
  const canvas = document.createElement('canvas');
  canvas.width = 60;
  canvas.height = 40;
  canvas.getContext('2d').fillRect(0, 0, 30, 40);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([blob], 'my lamp.png', { type: 'image/png' }));
  const { left, bottom } = element.querySelector('p').getBoundingClientRect();
  const place = { clientX: left + 200, clientY: bottom - 4, bubbles: true, cancelable: true };
  element.dispatchEvent(new DragEvent('drop', { dataTransfer, ...place }));`);

const fixture = (name: string): Promise<string> =>
  readFile(new URL(`../fixtures/paste/${name}`, import.meta.url), 'utf8');

describe('the article editor', () => {
  it('renders markdown, and formats markdown syntax as it is typed', async () => {
    const { page, text, saved, look, found } = await openArticle('Intro with **bold**.\n\n* one\n* two');
    expect(await text.locator('strong').innerText()).toBe('bold');
    await text.press('Control+End');
    await settled(page);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('## Next steps');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Some **strong** and _soft_ and `code`, 2 * 3.');
    await page.keyboard.press('Enter');
    await page.keyboard.type('1. first');
    await page.keyboard.press('Enter');
    await page.keyboard.type('second');
    await page.keyboard.press('Tab');
    await look('rich-editor');
    expect(await saved()).toBe(
      'Intro with **bold**.\n\n* one\n* two\n\n## Next steps\n\nSome **strong** and _soft_ and `code`, 2 * 3.\n\n1. first\n   1. second',
    );
    expect(found).toEqual([]);
  });

  it('can be used by its toolbar, and by keyboard alone', async () => {
    const { page, text, saved, found } = await openArticle('Word');
    await text.press('Control+a');
    await settled(page);
    await tool(page, 'Bold').click();
    expect(await tool(page, 'Bold').getAttribute('aria-pressed')).toBe('true');
    await tool(page, 'Heading').click();
    await text.press('End');
    await settled(page);
    await page.keyboard.press('Enter');
    await tool(page, 'Bulleted list').click();
    await page.keyboard.type('item');
    // One stop of the Tab key, and arrows within.
    await tool(page, 'Bold').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.keyboard.type(' leaning');
    await tool(page, 'Undo').click();
    await tool(page, 'Redo').click();
    expect(await saved()).toBe('## **Word**\n\n- item _leaning_');
    expect(found).toEqual([]);
  });

  it('inserts a table, and adds and removes its rows and columns', async () => {
    const { page, text, saved, look, found } = await openArticle('Sizes');
    await text.press('Control+End');
    await settled(page);
    await page.keyboard.press('Enter');
    await tool(page, 'Table').click();
    await page.keyboard.type('Size');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Price | EUR');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('S');
    // The button's tooltip would cover the page.
    await page.mouse.move(0, 0);
    await look('rich-editor-table');
    const choose = async (name: string): Promise<void> => {
      await tool(page, 'Table').click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('menu').waitFor({ state: 'detached' });
    };
    await choose('Insert row above');
    await choose('Insert column after');
    await page.keyboard.type('mall');
    expect(await saved()).toBe(
      'Sizes\n\n| Size |  | Price \\| EUR |  |\n| --- | --- | --- | --- |\n|  |  |  |  |\n| Small |  |  |  |\n|  |  |  |  |',
    );
    await choose('Delete row');
    await choose('Delete column');
    expect(await saved()).toBe(
      'Sizes\n\n|  | Price \\| EUR |  |\n| --- | --- | --- |\n|  |  |  |\n|  |  |  |',
    );
    await choose('Delete table');
    expect(await text.locator('table').count()).toBe(0);
    await saved();
    expect(found).toEqual([]);
  });

  it('links to another article and to an address, and removes the link', async () => {
    await save({ title: 'Sending things back', status: 'Published', body: 'Within 30 days.' });
    const { page, text, saved, look, found } = await openArticle('See here and there.');
    await page.keyboard.press('Control+Home');
    await text.getByText('See here').dblclick({ position: { x: 40, y: 10 } });
    await settled(page);
    await page.keyboard.press('Control+k');
    const picker = page.getByPlaceholder('Paste an address or search articles');
    await picker.fill('sending things');
    await page.getByRole('option', { name: /Sending things back/ }).waitFor();
    await look('rich-editor-link');
    await page.getByRole('option', { name: /Sending things back/ }).click();
    await picker.waitFor({ state: 'detached' });
    await text.press('Control+End');
    await settled(page);
    await page.keyboard.press('Control+k');
    await picker.fill('example.com/terms');
    await page.keyboard.press('Enter');
    await picker.waitFor({ state: 'detached' });
    const linked = await saved();
    expect(linked).toMatch(
      /^See \[here\]\(http:\/\/localhost:\d+\/help\/[^)]*\/articles\/sending-things-back\) and there\.\[example\.com\/terms\]\(https:\/\/example\.com\/terms\)$/,
    );
    await page.keyboard.press('ArrowLeft');
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Remove link' }).click();
    await picker.waitFor({ state: 'detached' });
    expect(await saved()).not.toContain('https://example.com');
    expect(found).toEqual([]);
  });

  it('accepts text from Word and Google Docs, without its styles', async () => {
    const { page, text, saved, look, found } = await openArticle('');
    await text.click();
    await paste(page, { 'text/html': await fixture('word.html'), 'text/plain': 'Returning a lamp' });
    await look('rich-editor-word');
    expect(await saved()).toBe(
      [
        '# Returning a lamp',
        'You can return **any** lamp within _thirty\u00a0days_. See our [terms](https://shop.example/terms).',
        '## What to do',
        '1. Print the label\n   1. from your account\n2. Pack the lamp **well**',
        '- bulbs apart\n- shades apart',
        '| Size | Cost |\n| --- | --- |\n| Small (up to 1\u00a0kg) | 4 \\| 5 |',
      ].join('\n\n'),
    );
    await text.press('Control+a');
    await settled(page);
    await paste(page, { 'text/html': await fixture('google-docs.html'), 'text/plain': 'Delivery' });
    expect(await saved()).toBe(
      [
        '## Delivery',
        'We ship **every day** _but Sunday_, not ~~weekly~~. [Prices](https://shop.example/delivery)',
        '- Europe\n  - two days\n- **World**',
        '| Zone | Days |\n| --- | --- |\n| EU |  |',
      ].join('\n\n'),
    );
    expect(found).toEqual([]);
  });

  it('pastes markdown as markdown and other text as it is', async () => {
    const { page, text, saved, found } = await openArticle('');
    await text.click();
    await paste(page, { 'text/plain': 'One\ntwo\n\nthree * four' });
    expect(await saved()).toBe('One\\\ntwo\n\nthree * four');
    await text.press('Control+a');
    await settled(page);
    await paste(page, { 'text/plain': '## Title\n\n- a\n- b' });
    expect(await saved()).toBe('## Title\n\n- a\n- b');
    expect(found).toEqual([]);
  });

  it('uploads a dropped image, shows it, and asks for its description', async () => {
    const { page, text, saved, look, found } = await openArticle('Before.');
    await text.evaluate(DROP_PICTURE, null);
    const picture = text.getByRole('img', { name: 'my lamp' });
    await picture.waitFor();
    expect(await picture.evaluate(inPage('await element.decode(); return element.naturalWidth;'), null)).toBe(
      60,
    );
    await picture.click();
    await tool(page, 'Image description').click();
    await page.getByRole('textbox', { name: 'Image description' }).fill('A lamp');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await look('rich-editor-picture');
    expect(await saved()).toMatch(/^Before\.!\[A lamp\]\(\/help\/images\/\d+-\d+-[0-9a-f]{32}\)$/);
    expect(found).toEqual([]);
  });

  it('changes to markdown and back with nothing lost, and the caret where it was', async () => {
    const body = '* one\n* two\n\nA *word*.\n\nLast `code`.';
    const { page, text, saved, found } = await openArticle(body);
    await text.getByText('Last').click();
    await page.keyboard.press('End');
    for (let step = 0; step < 'st code.'.length; step += 1) await page.keyboard.press('ArrowLeft');
    await settled(page);
    await page.getByText('Markdown', { exact: true }).click();
    await expect.poll(() => text.inputValue()).toBe(body);
    expect(await text.evaluate(inPage('return element.value.slice(element.selectionStart);'), null)).toBe(
      'st `code`.',
    );
    await page.keyboard.type('ter bla');
    await page.getByText('Visual', { exact: true }).click();
    await text.getByText('Later blast').waitFor();
    await page.keyboard.type('-bla');
    expect(await saved()).toBe('* one\n* two\n\nA *word*.\n\nLater bla-blast `code`.');
    expect(found).toEqual([]);
  });

  it('opens a text that it can’t show as markdown, and changes nothing of it', async () => {
    const { page, text, look, found } = await openArticle('Title\\\nof two lines\n===\n\nText');
    await page.getByText('can’t show everything').waitFor();
    expect(await text.inputValue()).toBe('Title\\\nof two lines\n===\n\nText');
    await look('rich-editor-unfit');
    await page.getByText('Visual', { exact: true }).click();
    await page.getByText('can’t show everything').waitFor();
    expect(await page.getByText('Draft').count()).toBeLessThan(3);
    expect(found).toEqual([]);
  });
});
