import type { LiveAnswer } from '@foyer/protocol';
import { randomHex } from '@foyer/protocol/browser/ids';
import { URL_MAX } from '@foyer/protocol/values/bounds';
import type { ExtraModule } from './chat-parts.ts';
import { guard, listen } from './guard.ts';

const BEAT_S = 60;
/** A page sets its title after its address, and may change both several times in a row. */
const SETTLE_MS = 500;

const cut = (text: string) => text.slice(0, URL_MAX);

/**
 * Reports the open page from now on, while it is visible. Stores nothing on the device. Stops if the site switches
 * live visitors off, and does nothing if the browser asks not to be tracked.
 */
export const start: ExtraModule['start'] = ({ base, options, key, toJson }, { post }) => {
  const url = `${base}/widget/live?site=${options.site}`;
  const tab = randomHex(8);
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  let isOver = doNotTrack === '1' || globalPrivacyControl;
  let said: string;
  let settling: ReturnType<typeof setTimeout>;
  let next: ReturnType<typeof setTimeout>;
  const describe = () =>
    toJson({
      tab,
      key: key(),
      page_url: cut(location.origin + location.pathname),
      page_title: cut(document.title),
      referrer: cut(document.referrer),
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  const plan = (ms: number) => {
    clearTimeout(next);
    next = setTimeout(beat, ms);
  };
  const send = async (body: string) => {
    try {
      // As text it needs no preflight request.
      const answer = await fetch(url, { method: 'POST', body, credentials: 'omit', keepalive: true });
      isOver = answer.status === 403;
      const { data }: { data?: LiveAnswer } = await answer.json();
      isOver ||= data?.live === false;
      plan((data?.again_s ?? BEAT_S) * 1000);
      if (data?.call) post({ type: 'connect' });
    } catch {
      // The next report will repeat it.
    }
  };
  const beat = guard(() => {
    plan(BEAT_S * 1000);
    if (isOver || document.hidden) return;
    said = describe();
    send(said);
  });
  beat();
  listen(document, 'visibilitychange', beat);
  listen(window, 'pagehide', () => isOver || send(`{"left":true,${describe().slice(1)}`));
  listen(window.navigation as EventTarget | undefined, 'navigatesuccess', () => {
    clearTimeout(settling);
    settling = setTimeout(() => said !== describe() && beat(), SETTLE_MS);
  });
};
