import type { ToWidget, WidgetLook } from '@foyer/protocol';
import { randomHex } from '@foyer/protocol/browser/ids';
import { allow, hasBegun } from './consent.ts';
import { emit } from './events.ts';
import { guard, listen, warn } from './guard.ts';
import { isAnonymous, KEPT, keepVisitor, RESET, readVisitor } from './identity.ts';
import { toJson } from './json.ts';
import type { Launcher, LauncherParts } from './launcher.ts';
import type { LiveParts } from './live.ts';
import { outbox } from './sending.ts';
import { base, options } from './settings.ts';
import { read, write } from './store.ts';

const PRELOAD_WITHOUT_IDLE_MS = 2_000;
const CONFIG_RETRY_MS = 10_000;
const CONFIG_TRIES = 3;

/** Of `GET /widget/config`. */
interface ConfigAnswer {
  data?: { look: WidgetLook; consent: boolean; live: boolean };
  error?: { code: string };
}

type MountLauncher = (parts: LauncherParts) => Launcher;
interface LauncherModule {
  mount: MountLauncher;
}

/** Loaded after the SDK; undefined until then. */
export let launcher: Launcher | undefined;
/** The key of the visitor that this tab reported last. */
export let shownKey = '';
let wantsOpen = false;
let isHidden = false;
let isLoading = false;
/** Live visitors are switched on, and this page doesn't report yet. */
let isLive = false;
let tries = 0;

const nothing = (): undefined => {};

/** The visitor's identity, for the chat. */
export const describeVisitor = () => {
  const { key, attributes } = readVisitor();
  shownKey = key;
  return { key, attributes, user_hash: options.userHash };
};

const greet = () => {
  const { locale, color, position } = options;
  return {
    type: 'init',
    ...describeVisitor(),
    page_url: location.href,
    page_title: document.title,
    referrer: document.referrer,
    locale,
    color,
    position,
    kept: read(KEPT),
    forget: !!read(RESET),
  } as ToWidget;
};

const adopt = (look: WidgetLook) => {
  Object.assign(options, { ...look, ...options });
  launcher?.paint();
};

/** Loads the chat when the page is idle. */
const preload = () => {
  // Safari has no idle callback.
  const idle: (run: () => void) => void =
    window.requestIdleCallback ?? ((run) => setTimeout(run, PRELOAD_WITHOUT_IDLE_MS));
  const soon = () => idle(guard(() => launcher?.preload()));
  if (document.readyState === 'complete') soon();
  else listen(window, 'load', soon);
};

/** Loads the script that reports the open page. */
const report = () => {
  if (!isLive) return;
  isLive = false;
  const parts: LiveParts = {
    url: `${base}/widget/live?site=${options.site}`,
    key: () => readVisitor().key,
    tab: randomHex(8),
    toJson,
    call: () => launcher?.post({ type: 'connect' }),
  };
  import(/* @vite-ignore */ `${base}/assets/js/live.js`).then(({ start }) => start(parts)).catch(nothing);
};

const mount = (make: MountLauncher) => {
  if (!document.body) return listen(document, 'DOMContentLoaded', () => mount(make));
  launcher ??= make({
    options,
    src: `${base}/widget/${options.site}`,
    greet,
    adopt,
    begin() {
      begin();
      keepVisitor();
    },
    arrived: () => write(RESET),
    keep: (kept) => write(KEPT, kept),
    emit,
  });
  if (isHidden) launcher.show(false);
  if (wantsOpen) launcher.open();
  if (hasBegun) preload();
};

/**
 * Loads the launcher and the site's look, which says whether the site asks for consent. Until that is known, the
 * SDK waits for consent. Offline, or if the page's connect-src forbids the request, the chat works in the default
 * colour.
 */
export const loadChat = async (): Promise<void> => {
  if (isLoading) return;
  isLoading = true;
  const loading: Promise<LauncherModule | undefined> = import(
    /* @vite-ignore */ `${base}/assets/js/launcher.js`
  ).catch(nothing);
  const answer: ConfigAnswer | undefined = await fetch(
    `${base}/widget/config?site=${options.site}${options.locale ? `&lang=${options.locale}` : ''}`,
  )
    .then((found) => found.json())
    .catch(nothing);
  const config = answer?.data;
  if (config) {
    adopt(config.look);
    isLive = config.live;
    if (hasBegun || !config.consent) guard(begin)();
  } else if (answer?.error?.code === 'not_found') return warn(`no site ${options.site}`);
  const code = await loading;
  if (code) guard(mount)(code.mount);
  if (code && config) return;
  isLoading = false;
  if (++tries < CONFIG_TRIES) setTimeout(loadChat, CONFIG_RETRY_MS);
};

/** From now on the SDK stores and sends. Runs again when the network is back. */
export const begin = (): void => {
  allow();
  if (options.apiToken || options.site) outbox.start();
  if (options.site) loadChat();
  if (launcher) preload();
  report();
};

/**
 * Reports the visitor to a loaded chat.
 * @param before the previous key, if it has changed
 */
export const updateChat = (before?: string): void => {
  const visitor = describeVisitor();
  if (before && !isAnonymous(before)) launcher?.reset(visitor.key);
  launcher?.post({ type: 'identify', ...visitor, previous_key: before } as ToWidget);
};

/** The launcher's commands. Those called too early run once it is loaded. */
export const chatCommands = {
  show() {
    isHidden = false;
    launcher?.show(true);
  },
  hide() {
    isHidden = true;
    wantsOpen = false;
    launcher?.show(false);
  },
  open() {
    isHidden = false;
    wantsOpen = true;
    launcher?.open();
  },
  close() {
    wantsOpen = false;
    launcher?.close();
  },
};
