import type { LauncherOptions } from './launcher.ts';
import type { Destination } from './request.ts';

/** The options of `boot`: docs/sdk.md#boot. */
interface BootOptions extends LauncherOptions, Destination {
  locale?: string;
}

/** What the script's tag and the page's `boot` say, then the site's look where they say nothing. */
export const options: BootOptions = {};

/** The server's address, without a slash at its end. */
export let base = '';

/** Reads the script's own tag. Only while the script runs does the browser say which one that is. */
export const readTag = (): void => {
  const tag = document.currentScript ?? document.querySelector('script[src*="/visitor-sdk.js"]');
  const { src, dataset } = tag as HTMLScriptElement;
  base = src.replace(/(\/assets\/js)?\/[^/]*$/, '');
  if (dataset.site) options.site = dataset.site;
};
