import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from '../app.ts';
import { openBrowser, type TestBrowser } from '../chromium.ts';
import { keepDesks } from '../desk-tabs.ts';
import { makeDocx, makePdf, putKnowledgeFile } from '../documents.ts';
import { openFaces } from '../faces.ts';
import { freePort } from '../foyer-process.ts';
import { pageOf, startWebsite } from '../pages.ts';

// An admin adds sources for the bot, in a real browser.

let browser: TestBrowser;
let app: TestApp;
let url: string;
let cookie: string;
let site: TestSite;
const desks = keepDesks(() => ({ browser, app, url }));
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  [browser, app] = await Promise.all([
    openBrowser(),
    startTestApp({ PORT: String(port) }, { crawlPauseMs: 0 }),
  ]);
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

const LONG_NAME = 'Floor lamp manual, with a name that is rather long for a telephone, 2026 (final).pdf';
const MANUAL = makePdf([
  [
    { text: 'Floor lamp manual', size: 20 },
    { text: 'The dimmer is under the shade. Turn it clockwise for more light.' },
    { text: 'Cleaning', size: 15 },
    { text: 'Unplug the lamp and wipe it with a dry cloth.' },
  ],
]);

it('the desk adds files, shows the result and the text of each, and deletes one', async () => {
  const { page, look, found, allow } = await desks.faces(site.admin.email, 'knowledge');
  await page.getByRole('link', { name: 'Sources', exact: true }).click();
  await page.getByText('No sources yet').waitFor();
  await look('sources-empty');
  const pick = (name: string, buffer: Buffer): Promise<void> =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/pdf', buffer });
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await pick(LONG_NAME, MANUAL);
  await row(LONG_NAME).getByText('2 passages').waitFor();
  await pick('scan.pdf', makePdf([[]]));
  await row('scan.pdf').getByText('The file has no text.').waitFor();
  await pick(
    'أسعار.docx',
    makeDocx([{ text: 'أسعار المصابيح', style: 'Title' }, { text: 'مصباح واحد بعشرة.' }]),
  );
  await row('أسعار').getByText('1 passage').waitFor();
  allow(/status of 415/);
  await pick('notes.pdf', Buffer.from('Just words'));
  await page.getByText('Couldn’t upload “notes.pdf”.').waitFor();
  await page.getByText('Only PDF and Word files (.docx) can be read.').waitFor();
  await look('sources-files');
  await page.getByRole('link', { name: LONG_NAME }).click();
  await page.getByRole('heading', { name: 'Floor lamp manual' }).first().waitFor();
  await page.getByText('Turn it clockwise for more light.').waitFor();
  await look('source-text');
  await page.getByRole('link', { name: 'Sources', exact: true }).click();
  await page.getByRole('button', { name: 'Delete “scan.pdf”' }).click();
  await page.getByRole('alertdialog').getByText('The bot forgets its text').waitFor();
  await look('source-delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete source' }).click();
  await page.getByText('Deleted “scan.pdf”.').waitFor();
  await expect.poll(() => row('scan.pdf').count()).toBe(0);
  expect(await row(LONG_NAME).count()).toBe(1);
  expect(found).toEqual([]);
});

it('the desk adds a page and a sitemap, shows the result of each page, and reads them again', async () => {
  const web = await startWebsite();
  const long = 'Returns, exchanges and everything else that is sent back to our workshop in the north';
  web.pages['/returns'] = pageOf(long, '<p>You can send a lamp back within 45 days of its delivery.</p>');
  web.pages['/ar'] = pageOf('الضمان', '<p>ضمان المصباح خمس سنوات من تاريخ الشراء لجميع المنتجات.</p>');
  web.pages['/sitemap.xml'] =
    `<urlset><url><loc>${web.url}/returns</loc></url><url><loc>${web.url}/ar</loc></url><url><loc>${web.url}/gone</loc></url></urlset>`;
  const { page, look, found, allow } = await desks.faces(site.admin.email, 'knowledge/sources');
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  const add = async (kind: 'Page' | 'Sitemap', address: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add page or sitemap' }).click();
    await page.getByText(kind, { exact: true }).click();
    await page.getByLabel('Address').fill(address);
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add('Page', `${web.url}/returns`);
  await row(long).getByText('1 passage').waitFor();
  allow(/status of 409/);
  await add('Page', `${web.url}/returns`);
  await page.getByText('This address is already a source.').waitFor();
  await look('source-page-taken');
  await page.keyboard.press('Escape');
  await add('Sitemap', `${web.url}/sitemap.xml`);
  await row('/sitemap.xml').getByText('2 pages').waitFor();
  await row('/sitemap.xml').getByText('1 page couldn’t be read.').waitFor();
  await add('Page', `${web.url}/nothing`);
  await row('/nothing').getByText('There is no page at this address.').waitFor();
  await look('sources-web');
  web.pages['/nothing'] = pageOf('There now', '<p>This page is there now, and it has a text.</p>');
  await page.getByRole('button', { name: /Read .*nothing.* again/ }).click();
  await row('There now').getByText('1 passage').waitFor();
  await page.getByRole('link', { name: `${web.url}/sitemap.xml` }).click();
  await row('/gone').getByText('There is no page at this address.').waitFor();
  await row('/ar').getByText('الضمان').waitFor();
  await look('source-pages');
  await page.getByRole('link', { name: long }).click();
  await page.getByText('You can send a lamp back within 45 days of its delivery.').waitFor();
  expect(await page.getByRole('link', { name: `${web.url}/returns` }).getAttribute('target')).toBe('_blank');
  expect(found).toEqual([]);
  await web.close();
});

it('a visitor sees the source of an answer: a page as a link in a new tab, a file by its name', async () => {
  const web = await startWebsite();
  web.pages['/gifts'] = pageOf(
    'Gift cards',
    '<p>A gift card is valid for seven years from the day you buy it.</p>',
  );
  const add = { kind: 'page', url: `${web.url}/gifts` } as const;
  expect((await app.desk(cookie, 'knowledge_sources.create', add)).status).toBe(200);
  await putKnowledgeFile(url, cookie, {
    name: 'care.pdf',
    content: makePdf([
      [{ text: 'Care of linen', size: 20 }, { text: 'Wash linen shades by hand in cold water.' }],
    ]),
  });
  await expect
    .poll(async () => {
      const { body } = await app.desk(cookie, 'knowledge.search', { q: 'gift card linen shades' });
      return body.data.passages.map(({ title }: { title: string }) => title);
    })
    .toEqual(expect.arrayContaining(['Gift cards', 'Care of linen']));
  const { page, look, found } = await openFaces(browser, { url });
  await page.goto(`${url}/demo?site=${site.publicKey}`);
  await page.locator('button[aria-expanded]').click();
  const widget = page.frameLocator('iframe[src*="/widget/"]');
  await widget.getByRole('button', { name: /Send us a message/ }).click();
  const ask = async (text: string): Promise<void> => {
    await widget.getByRole('textbox', { name: 'Write a message…' }).fill(text);
    await widget.getByRole('button', { name: 'Send', exact: true }).click();
  };
  await ask('How long is a gift card valid?');
  const link = widget.getByRole('link', { name: 'Gift cards' });
  await link.waitFor();
  const attributes = ['href', 'target', 'rel'].map((name) => link.getAttribute(name));
  expect(await Promise.all(attributes)).toEqual([`${web.url}/gifts`, '_blank', 'noopener']);
  await ask('How do I wash linen shades?');
  await widget.locator('.sources').getByText('Care of linen').waitFor();
  expect(await widget.getByRole('link', { name: 'Care of linen' }).count()).toBe(0);
  await look('source-in-chat');
  expect(found).toEqual([]);
  await web.close();
});
