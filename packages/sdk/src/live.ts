import { URL_MAX } from '@foyer/protocol/values/bounds';
import { guard, listen } from './guard.ts';

/** What the SDK gives to this module, which it loads where a site wants to know who is there. */
export interface LiveParts {
  /** Where reports go. */
  url: string;
  /** The visitor's key. */
  key(): string;
  /** Random, 16 hex digits. */
  tab: string;
  toJson(value: unknown): string;
}

const BEAT_MS = 60_000;
/** A page sets its title after its address, and may change both many times in a row. */
const SETTLE_MS = 500;

const cut = (text: string) => text.slice(0, URL_MAX);

/**
 * Reports that the page is open, from now on while it is visible. Nothing is kept on the device. It ends when the site
 * doesn't want to know, and does nothing where the browser asks not to be followed.
 */
export const start = ({ url, key, tab, toJson }: LiveParts): void => {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  let isOver = doNotTrack === '1' || globalPrivacyControl;
  let said: string;
  let settling: ReturnType<typeof setTimeout>;
  const describe = () =>
    toJson({
      tab,
      key: key(),
      page_url: cut(location.origin + location.pathname),
      page_title: cut(document.title),
      referrer: cut(document.referrer),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  const send = async (body: string) => {
    try {
      // As text it needs no pre-flight.
      const answer = await fetch(url, { method: 'POST', body, credentials: 'omit', keepalive: true });
      isOver = answer.status === 403 || (await answer.json()).data?.live === false;
    } catch {
      // The next one says it again.
    }
  };
  const beat = guard(() => {
    if (isOver || document.hidden) return;
    said = describe();
    send(said);
  });
  beat();
  setInterval(beat, BEAT_MS);
  listen(document, 'visibilitychange', beat);
  listen(window, 'pagehide', () => isOver || send(`{"left":true,${describe().slice(1)}`));
  listen(window.navigation as EventTarget | undefined, 'navigatesuccess', () => {
    clearTimeout(settling);
    settling = setTimeout(() => said !== describe() && beat(), SETTLE_MS);
  });
};
