import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp, type TestSite } from './app.ts';
import { TestSocket } from './sockets.ts';

// What a site says about its door, and what its visitors find there.

let app: TestApp;
let site: TestSite;
let cookie: string;
beforeAll(async () => {
  app = await startTestApp();
  site = await app.makeSite();
  cookie = await app.signIn(site.admin.email);
});
afterAll(() => app.close());

const update = (input: object) => app.desk(cookie, 'site.update', input);
const arrive = () => TestSocket.visitor(app.url, site.publicKey);
const config = async () => (await fetch(`${app.url}/widget/config?site=${site.publicKey}`)).json();

describe('the look of the widget', () => {
  const LOOK = { color: '#aa3300', position: 'left', theme: 'dark', launcher_text: 'Need help?' } as const;

  it('is told to the widget and to the page’s button as soon as it is changed', async () => {
    const { status, body } = await update({ ...LOOK, language: 'fr', languages: ['fr', 'ar'], sound: false });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ ...LOOK, logo_url: null, languages: ['fr', 'ar'] });
    const { welcome } = await arrive();
    const look = { ...LOOK, logo_url: null };
    expect(welcome.site).toMatchObject({ look, sound: false, language: 'fr', languages: ['fr', 'ar'] });
    expect(await config()).toMatchObject({ data: { look } });
  });

  it('keeps what a change does not name, and takes back what it empties', async () => {
    await update({ launcher_text: '', languages: [] });
    expect(await config()).toMatchObject({ data: { look: { ...LOOK, launcher_text: '' } } });
  });

  it.each([
    { position: 'top' },
    { theme: 'sepia' },
    { launcher_text: 'x'.repeat(25) },
    { language: 'xx' },
    { languages: ['en', 'EN'] },
  ])('is not %j', async (input) => {
    const { status, body } = await update(input);
    expect(status).toBe(400);
    expect(body.error.issues[0].path).toContain(Object.keys(input)[0]);
  });
});
