import type {
  ChatCommand,
  ChatParts,
  ConfigAnswer,
  Launcher,
  LauncherModule,
  Visitor,
} from './chat-parts.ts';
import { allow, hasBegun } from './consent.ts';
import { emit } from './events.ts';
import { keepVisitor, readVisitor } from './identity.ts';
import { toJson } from './json.ts';
import { CHAT_RETRY_MS, CHAT_TRIES, REQUEST_TIMEOUT_MS } from './limits.ts';
import { loadRest, outbox } from './sending.ts';
import { base, options } from './settings.ts';
import { read, write } from './store.ts';

/** Loaded after the SDK; undefined until then. */
export let launcher: Launcher | undefined;
/** The key of the visitor that this tab reported last. */
export let shownKey = '';
let isLoading = false;
let tries = 0;

const nothing = (): undefined => {};

/** The visitor's identity, for the chat. */
export const describeVisitor = (): Visitor => {
  const { key, attributes } = readVisitor();
  shownKey = key;
  return { key, attributes, user_hash: options.userHash };
};

/** From now on the SDK stores and sends. Runs again when the network is back. */
export const begin = (): void => {
  allow();
  if (options.apiToken) loadRest().catch(nothing);
  if (options.apiToken || options.site) outbox.start();
  if (options.site) loadChat();
  launcher?.begun();
};

const early: ChatCommand[] = [];

/**
 * Loads the launcher and the site's look, which says whether the site asks for consent. Until that is known, the
 * SDK waits for consent. Offline, or if the page's connect-src forbids the request, the chat works in the default
 * colour.
 */
export const loadChat = async (): Promise<void> => {
  if (isLoading) return;
  isLoading = true;
  const answer: Promise<ConfigAnswer | undefined> = fetch(
    `${base}/widget/config?site=${options.site}&lang=${options.locale ?? ''}`,
    { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) },
  )
    .then((found) => found.json())
    .catch(nothing);
  const code: LauncherModule | undefined = await import(
    /* @vite-ignore */ `${base}/assets/js/launcher.js`
  ).catch(nothing);
  const parts: ChatParts = {
    options,
    base,
    early,
    mounted(made) {
      launcher = made;
      if (hasBegun) made.begun();
    },
    begin,
    visitor: describeVisitor,
    key: () => readVisitor().key,
    keep: keepVisitor,
    read,
    write,
    toJson,
    emit,
  };
  if (await code?.start(parts, answer)) return;
  isLoading = false;
  if (++tries < CHAT_TRIES) setTimeout(loadChat, CHAT_RETRY_MS);
};

/**
 * Reports the visitor to a loaded chat.
 * @param before the previous key, if it has changed
 */
export const updateChat = (before?: string): void => launcher?.identify(describeVisitor(), before);

/** Runs the page's command for the chat, or leaves it to the launcher that is still loading. */
export const control = (name: ChatCommand): void => {
  if (launcher) launcher[name]();
  else early.push(name);
};
