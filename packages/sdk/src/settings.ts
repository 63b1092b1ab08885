import type { LauncherOptions } from './launcher/panel.ts';
import type { Destination } from './request.ts';

/** The options of `boot`: docs/sdk.md#boot. */
interface BootOptions extends LauncherOptions, Destination {
  locale?: string;
}

/** The options of the script tag and the page's `boot`, then the site's look for those that are unset. */
export const options: BootOptions = {};

/** The server's address, without a trailing slash. */
export let base = '';

/** Reads the script's own tag, which browsers only reveal while the script runs. */
export const readTag = (): void => {
  const tag = document.currentScript ?? document.querySelector('script[src*="/visitor-sdk.js"]');
  const { src, dataset } = tag as HTMLScriptElement;
  base = src.replace(/(\/assets\/js)?\/[^/]*$/, '');
  if (dataset.site) options.site = dataset.site;
};
