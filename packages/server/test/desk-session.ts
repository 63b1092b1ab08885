import type { BrowserContext, Page } from 'playwright-core';
import { PASSWORD } from './app.ts';

/** Signs a browser in at an address with the cookies from an app's `signIn`. */
export const signInto = (context: BrowserContext, cookie: string, url: string): Promise<void> => {
  const pairs = cookie.split('; ').map((pair) => pair.split('='));
  return context.addCookies(pairs.map(([name = '', ...value]) => ({ name, value: value.join('='), url })));
};

/**
 * Ends the page's session with its next call of the operation. Clearing the cookies before a click would end it for
 * every call: an automatic one may be refused first, and the sign-in dialog would cover what is to be clicked.
 */
export async function endSessionAt(page: Page, operation: string): Promise<void> {
  await page.route(
    `**/app/api/${operation}`,
    async (route) => {
      await page.context().clearCookies();
      await route.continue();
    },
    { times: 1 },
  );
}

/** Signs in with the dialog that the desk shows when its session has ended. */
export async function signInAgain(page: Page, email: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}
