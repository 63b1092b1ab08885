import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importSampleKnowledge } from '../../src/knowledge/sample.ts';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { goWithin, keepDesks } from '../desk-tabs.ts';
import { facesOf, openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';

// The team's work on its knowledge, and what readers see of it, in a real browser.

let browser: TestBrowser;
let app: TestApp;
let site: TestSite;
let url: string;
let cookie: string;
/** The address of the site's help centre; each site has its own. */
let help: string;
let sites = 0;
const desks = keepDesks(() => ({ browser, app, url }));

const desk = async (operation: string, input: object = {}) => {
  const { status, body } = await app.desk(cookie, operation, input);
  if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
  return body.data;
};

beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([openBrowser(), startTestApp({ PORT: String(port) })]);
});
async function makeSite(): Promise<void> {
  site = await app.makeSite();
  sites += 1;
  help = `/help/lantern-${sites}`;
  cookie = await app.signIn(site.admin.email);
  await importSampleKnowledge(site.operator);
  await desk('help_centre.update', {
    slug: `lantern-${sites}`,
    intro: 'Everything about lamps, orders and returns.',
  });
  await desk('articles.save', {
    title: 'كيف أعيد منتجًا؟',
    category: 'A category with a name of eighty characters, which is more than a card has room for',
    status: 'Published',
    body: 'خلال ثلاثين يومًا.',
  });
}
afterAll(async () => {
  await browser.close();
  await app.close();
});

const LONG = `Intro with **bold** and a [link](https://example.com).

## First steps

1. One
2. Two

| Size | Price |
|---|---|
| S | 10 |
| L | 20 |

## Then

> Mind the gap.

\`\`\`
code that is rather long and goes on and on so that it has to scroll sideways on every phone there is
\`\`\`
`;

describe('the desk’s knowledge', () => {
  beforeAll(makeSite);

  it('stores text as a draft, saves it, shows its history and restores a version', async () => {
    const { page, look, found } = await desks.faces(site.admin.email, 'knowledge/new');
    await page.getByLabel('Title').fill('Caring for linen');
    await page.getByRole('textbox', { name: 'Text' }).fill('Wash it cold.');
    await page.getByText('Draft kept').waitFor();
    await page.reload();
    await page.getByText('You have an unsaved draft').waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('Caring for linen');
    await page.getByLabel('Status').selectOption('Published');
    await page.getByRole('button', { name: 'Save and publish' }).click();
    await page.waitForURL(/knowledge\/\d+$/);
    const text = page.getByRole('textbox', { name: 'Text' });
    await page.getByText('Markdown', { exact: true }).click();
    await text.fill(LONG);
    await text.press('Control+End');
    await text.press('Control+b');
    await page.keyboard.type('loud');
    await page.getByRole('region', { name: 'Preview' }).getByText('loud').waitFor();
    expect(await page.getByRole('region', { name: 'Preview' }).locator('strong').last().textContent()).toBe(
      'loud',
    );
    await look('article-editor');
    const answered = Promise.withResolvers<void>();
    await page.route('**/api/articles.save', async (route) => {
      const response = await route.fetch();
      await answered.promise;
      await route.fulfill({ response });
    });
    await text.press('Control+s');
    await page.getByRole('button', { name: 'Saving…' }).waitFor();
    await page.keyboard.type(' and on');
    answered.resolve();
    // The toast of the first save may still be there as well.
    await page.getByText('Article saved and published').last().waitFor();
    await page.getByText('Draft kept').waitFor();
    expect(await text.inputValue()).toContain('loud and on');
    await page.unroute('**/api/articles.save');
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: /created it/ }).waitFor();
    await look('article-history');
    await page
      .getByRole('button', { name: /edited it/ })
      .first()
      .click();
    await page.getByText('added:').first().waitFor();
    await look('article-version');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /created it/ }).click();
    await page.getByRole('button', { name: 'Restore version' }).click();
    await page.getByText('Version restored').waitFor();
    // The unsaved text isn't lost by it.
    await page.getByRole('button', { name: 'Compare' }).waitFor();
    expect(await text.inputValue()).toContain('loud and on');
    await page.getByRole('button', { name: 'Use theirs' }).click();
    await page.getByRole('button', { name: 'Compare' }).waitFor({ state: 'detached' });
    expect(await text.inputValue()).toBe('Wash it cold.');
    await text.fill('Wash it warm.');
    await page.getByText('Draft kept').waitFor();
    await page.getByText('Visual', { exact: true }).click();
    expect(found).toEqual([]);
  });

  it('warns the second of two agents who save, who loses nothing', async () => {
    const { article } = await desk('articles.save', { title: 'Opening hours', body: 'Nine to five.' });
    const { page, look, found, allow } = await desks.faces(site.admin.email, `knowledge/${article.id}`);
    allow(/status of 409/);
    const text = page.getByRole('textbox', { name: 'Text' });
    await text.fill('Nine to six.');
    await page.getByText('Draft kept').waitFor();
    await app.rest(site.write, 'PATCH', `/v1/articles?id=${article.id}`, { body: 'Ten to four.' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Somebody else saved this article').waitFor();
    expect(await text.innerText()).toBe('Nine to six.');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('dialog').getByText('Ten to four.').waitFor();
    await page.keyboard.press('Escape');
    await look('article-conflict');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // Exact, because an earlier message says that somebody else saved this article.
    await page.getByText('Article saved', { exact: true }).waitFor();
    const { body } = await app.rest(site.read, 'GET', `/v1/articles?id=${article.id}`);
    expect(body.data.body).toBe('Nine to six.');
    expect(found).toEqual([]);
  });

  it('changes many at once, and reorders categories by keyboard', async () => {
    const { page, look, found } = await desks.faces(site.admin.email, 'knowledge');
    await page.getByRole('list', { name: 'Articles' }).getByRole('checkbox').nth(1).check();
    await page.getByRole('button', { name: 'Select all shown' }).click();
    await look('knowledge-selected');
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('combobox', { name: 'Category' }).last().fill('Everything');
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await page.getByText(/articles? updated/).waitFor();
    const deleteFirst = async (): Promise<void> => {
      await page.getByRole('list', { name: 'Articles' }).getByRole('checkbox').first().check();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('button', { name: 'Delete 1 article' }).click();
    };
    await deleteFirst();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 article restored').waitFor();
    await deleteFirst();
    await page.getByRole('button', { name: 'More in Knowledge' }).click();
    await page.getByRole('menuitem', { name: 'Recently deleted' }).click();
    await page.getByRole('button', { name: /^Restore/ }).waitFor();
    await look('knowledge-deleted');
    await page.getByRole('button', { name: /^Restore/ }).click();
    await page.getByText('No deleted articles').waitFor();
    await goWithin(page, '/app/knowledge/categories');
    await page.getByRole('button', { name: 'Move “Everything” up' }).click();
    await page.getByRole('button', { name: 'More for “Everything”' }).waitFor();
    await look('categories');
    await page.getByRole('button', { name: 'More for “Everything”' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('All there is');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'All there is' }).waitFor();
    expect(found).toEqual([]);
  });

  it('previews starters while they are written, and keeps the position of one that is moved or fails', async () => {
    const { page, found, allow } = facesOf(await desks.fresh(site.admin.email));
    await page.goto(`${url}/app/knowledge/starters`);
    const rows = page.getByRole('list', { name: 'Starters' }).getByRole('listitem');
    const preview = page
      .frameLocator('iframe')
      .getByRole('region', { name: 'Common questions' })
      .getByRole('listitem');
    await rows.nth(1).getByRole('button', { name: 'Edit “Returns”' }).focus();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByText('“Returns” is now 1 of 3').waitFor();
    await expect.poll(() => preview.allInnerTexts()).toEqual(['Returns', 'Where is my order?', 'Delivery']);
    await expect
      .poll(async () =>
        (await desk('conversation_starters.list', { order: 'asc' })).map(
          ({ label }: { label: string }) => label,
        ),
      )
      .toEqual(['Returns', 'Where is my order?', 'Delivery']);

    await page.keyboard.press('Enter');
    await page.getByLabel('Button text').fill('Sending back');
    await expect
      .poll(() => preview.allInnerTexts())
      .toEqual(['Sending back', 'Where is my order?', 'Delivery']);
    allow(/ERR_FAILED/);
    await page.route('**/conversation_starters.update', (route) => route.abort());
    const save = page.getByRole('button', { name: 'Save' });
    await save.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.locator(':focus').innerText()).toBe('Save');
    expect(found).toEqual([]);
  });

  it('imports what the preview has shown, and moves training rows', async () => {
    const { page, look, found } = await desks.faces(site.admin.email, 'knowledge/import');
    await page
      .getByRole('textbox', { name: 'Markdown' })
      .fill(
        'status: Published\n---\n# A new lamp\n\nIt glows.\n---\n# Another\n\nToo.\n---\nno title at all',
      );
    await page.getByRole('button', { name: 'Preview import' }).click();
    await page.getByText('Nothing is imported yet').waitFor();
    await look('import-preview');
    const focused = page.locator(':focus');
    await page.keyboard.press('Tab');
    expect(await focused.textContent()).toBe('Import 2 articles');
    await page.keyboard.press('Enter');
    await page.getByText('2 articles created').waitFor();
    await page.keyboard.press('Tab');
    expect(await focused.textContent()).toBe('View articles');
    await look('import-done');
    await goWithin(page, '/app/knowledge/training');
    await page.getByText('No training rows').waitFor();
    await page.getByLabel('Import CSV').setInputFiles({
      name: 'old.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'question,answer\nDo you wrap gifts?,"In recycled paper."\nDo you ship abroad?,\n=1+1,Two.',
      ),
    });
    await page.getByText('2 created').waitFor();
    await look('training-import');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await look('training');
    await page.getByRole('button', { name: 'Move all to articles' }).click();
    await page.getByRole('link', { name: 'Article', exact: true }).first().waitFor();
    await look('training-moved');
    await goWithin(page, '/app/knowledge/help-centre');
    await page.getByLabel('Address').waitFor();
    await look('help-settings');
    expect(found).toEqual([]);
  });
});

describe('the help centre', () => {
  // Each test has its own site, with nobody at the desk.
  beforeEach(makeSite);

  it('looks right in every state, and has the chat on it', { timeout: 90_000 }, async () => {
    const { page, look, found, allow } = await openFaces(browser, { url });
    await page.goto(`${url}${help}`);
    await page.getByRole('button', { name: /chat/i }).waitFor();
    await look('help-home');
    await page.getByRole('heading', { level: 2 }).getByRole('link').first().click();
    await page.getByRole('navigation', { name: 'You are here' }).waitFor();
    await look('help-category');
    await desk('articles.save', { title: 'A long read', status: 'Published', body: LONG });
    await page.goto(`${url}${help}/articles/a-long-read`);
    await page.getByRole('navigation', { name: 'On this page' }).waitFor();
    await look('help-article');
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText('We’re glad it helped').waitFor();
    await look('help-rated');
    await page.getByRole('searchbox').fill('return');
    await page.keyboard.press('Enter');
    await page.getByText('Results for “return”').first().waitFor();
    await look('help-search');
    await page.goto(`${url}${help}/search?q=zeppelin`);
    await look('help-search-nothing');
    allow(/status of 404/);
    await page.goto(`${url}${help}/articles/none`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await look('help-missing');
    expect(found).toEqual([]);
  });

  it('is read, searched and rated without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${url}${help}`);
    await page.getByRole('searchbox').fill('warranty');
    await page.getByRole('button', { name: 'Search' }).click();
    await page
      .getByRole('link', { name: /Warranty/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'No', exact: true }).click();
    expect(await page.getByRole('status').textContent()).toContain('what’s missing');
    expect(await page.title()).toContain('Warranty');
  });
});
