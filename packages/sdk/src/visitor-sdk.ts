import type { Scalar, SdkAttributes, ToWidget, WidgetLook } from '@foyer/protocol';
import { ATTRIBUTE_BYTES, PROPERTIES_BYTES } from '@foyer/protocol/bounds';
import { emit, on } from './events.ts';
import { guard, isObject, listen, warn } from './guard.ts';
import {
  forgetFresh,
  forgetVisitor,
  isAnonymous,
  KEPT,
  keepVisitor,
  mergeVisitor,
  readVisitor,
  storeEvent,
  VISITOR,
} from './identity.ts';
import { bytesOf, toJson } from './json.ts';
import type { Launcher, LauncherOptions, LauncherParts } from './launcher.ts';
import { type Answer, createOutbox, type OutboxItem } from './outbox.ts';
import { type Destination, describeRequest } from './request.ts';
import { read, write } from './store.ts';

const REQUEST_TIMEOUT_MS = 20_000;
const PRELOAD_WITHOUT_IDLE_MS = 2_000;
const CONFIG_RETRY_MS = 10_000;
const CONFIG_TRIES = 3;
/** Calls that wait until the visitor may be remembered. */
const HELD_MAX = 100;

/** What `boot` may be given (interface, "Visitor SDK"; decisions 6). */
export interface BootOptions extends LauncherOptions, Destination {
  locale?: string;
}

/** The global function, and the queue that the page's stub filled before. */
type Svc = { (...args: unknown[]): void; q?: unknown; sdk?: 1; nodeType?: number };

declare global {
  interface Window {
    svc?: Svc | null;
  }
}

/** Of `GET /widget/config`. */
interface ConfigAnswer {
  data?: { look: WidgetLook; consent: boolean };
  error?: { code: string };
}

type MountLauncher = (parts: LauncherParts) => Launcher;
interface LauncherModule {
  mount: MountLauncher;
}

const nothing = (): undefined => {};

/** Sets the SDK going, unless it is there already. */
const start = () => {
  const page = window;
  const doc = document;
  const stub = page.svc;
  if (stub?.sdk) return;
  const tag = doc.currentScript ?? doc.querySelector('script[src*="/visitor-sdk.js"]');
  const { src, dataset } = tag as HTMLScriptElement;
  const base = src.replace(/(\/assets\/js)?\/[^/]*$/, '');
  const options: BootOptions = dataset.site ? { site: dataset.site } : {};

  let isBooted = false;
  /** From now on things are stored and sent: the page called `boot`, the site asks for no consent, or a chat was opened. */
  let hasBegun = false;
  let launcher: Launcher | undefined;
  let wantsOpen = false;
  let isHidden = false;
  let isAsked = false;
  let tries = 0;
  let held: (() => void)[] = [];
  /** Whom this tab takes the visitor for. */
  let told = '';

  const send = async (item: OutboxItem, keepalive: boolean): Promise<Answer> => {
    const [url, body, headers] = describeRequest(item, options, base);
    const answer = await fetch(url, {
      method: 'POST',
      body: toJson(body),
      credentials: 'omit',
      keepalive,
      headers,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    // Till it is read to its end, browsers count it among those that outlive the page.
    await answer.text();
    return [answer.status, Number(answer.headers.get('Retry-After'))];
  };
  const outbox = createOutbox(send);

  const person = () => {
    const { key, attributes } = readVisitor();
    told = key;
    return { key, attributes, user_hash: options.userHash };
  };
  const greet = () => {
    const { locale, color, position } = options;
    return {
      type: 'init',
      ...person(),
      page_url: location.href,
      page_title: doc.title,
      referrer: doc.referrer,
      locale,
      color,
      position,
      kept: read(KEPT),
    } as ToWidget;
  };
  const adopt = (look: WidgetLook) => {
    Object.assign(options, { ...look, ...options });
    launcher?.paint();
  };

  /** The chat is loaded when the page has nothing better to do. */
  const preload = () => {
    // Safari has no idle callback.
    const idle: (run: () => void) => void =
      page.requestIdleCallback ?? ((run) => setTimeout(run, PRELOAD_WITHOUT_IDLE_MS));
    const soon = () => idle(guard(() => launcher?.preload()));
    if (doc.readyState === 'complete') soon();
    else listen(page, 'load', soon);
  };

  const mount = (make: MountLauncher) => {
    if (!doc.body) return listen(doc, 'DOMContentLoaded', () => mount(make));
    launcher ??= make({
      options,
      src: `${base}/widget/${options.site}`,
      greet,
      adopt,
      begin,
      keep: (kept) => write(KEPT, kept),
      emit,
    });
    if (isHidden) launcher.show(false);
    if (wantsOpen) launcher.open();
    if (hasBegun) preload();
  };

  /**
   * The launcher, the site's look, and whether the site asks for consent. While that can't be known it is taken to be
   * so: offline, or where the page's connect-src forbids it, the chat works all the same, in the default colour.
   */
  const ask = async (): Promise<void> => {
    if (isAsked) return;
    isAsked = true;
    const loading: Promise<LauncherModule | undefined> = import(
      /* @vite-ignore */ `${base}/assets/js/launcher.js`
    ).catch(nothing);
    const answer: ConfigAnswer | undefined = await fetch(
      `${base}/widget/config?site=${options.site}&lang=${options.locale}`,
    )
      .then((found) => found.json())
      .catch(nothing);
    const config = answer?.data;
    if (config) {
      adopt(config.look);
      if (!config.consent) guard(begin)();
    } else if (answer?.error?.code === 'not_found') return warn(`no site ${options.site}`);
    const code = await loading;
    if (code) guard(mount)(code.mount);
    if (code && config) return;
    isAsked = false;
    if (++tries < CONFIG_TRIES) setTimeout(ask, CONFIG_RETRY_MS);
  };

  const begin = () => {
    if (!hasBegun) {
      hasBegun = true;
      emit('ready');
      for (const run of held) run();
      held = [];
    }
    if (options.apiToken || options.site) outbox.start();
    if (options.site) ask();
    if (launcher) preload();
  };

  /** @param before the key until now, if it is another one */
  const tellPanel = (before?: string) => {
    const visitor = person();
    if (before && !isAnonymous(before)) launcher?.reset(visitor.key);
    launcher?.post({ type: 'identify', ...visitor, previous_key: before } as ToWidget);
  };

  const identify = (given: unknown) => {
    if (!isObject(given)) return warn('bad identify');
    const { userHash, ...rest } = given;
    if (userHash) options.userHash = `${userHash}`;
    const attributes: SdkAttributes = {};
    for (const [name, value] of Object.entries(rest)) {
      const plain = value instanceof Date ? value.toISOString() : value;
      // The server would refuse all that is told with it.
      if (Object(plain) === plain || bytesOf(plain) > ATTRIBUTE_BYTES) warn(`bad attribute ${name}`);
      else if (plain !== undefined) attributes[name] = plain as Scalar;
    }
    const [before, key, changed] = mergeVisitor(attributes);
    outbox.identify(before, key, changed, options.userHash);
    tellPanel(key === before ? undefined : before);
  };

  const track = (given: unknown, properties: unknown = {}) => {
    const name = `${given ?? ''}`.trim();
    if (!name) return warn('bad track');
    const isFine = isObject(properties) && bytesOf(properties) <= PROPERTIES_BYTES;
    if (!isFine) warn(`bad properties of ${name}`);
    const key = keepVisitor();
    outbox.track(key, storeEvent(name, isFine ? JSON.parse(toJson(properties)) : {}), options.userHash);
  };

  /** What remembers the visitor waits until it may. */
  const later = (run: (first?: unknown, second?: unknown) => void) => (first: unknown, second: unknown) => {
    if (hasBegun) run(first, second);
    else if (held.length < HELD_MAX) held.push(() => guard(run)(first, second));
  };

  const forgetHere = () => {
    delete options.userHash;
    held = [];
    const { key } = person();
    if (hasBegun) launcher?.reset(key);
  };

  const commands: Record<string, (first?: unknown, second?: unknown) => void> = {
    boot(given) {
      if (isBooted) return warn('booted already');
      isBooted = true;
      Object.assign(options, given);
      begin();
      launcher?.paint();
    },
    identify: later(identify),
    update: later(identify),
    track: later(track),
    reset() {
      outbox.flush();
      forgetVisitor();
      outbox.flush();
      forgetHere();
    },
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
    on(event, handler) {
      if (typeof handler !== 'function') return warn('bad on');
      on(event, (detail) => handler(detail));
      if (event === 'ready' && hasBegun) handler();
    },
  };

  const run = guard((args: ArrayLike<unknown>) => {
    const name = `${args[0]}`;
    if (Object.hasOwn(commands, name)) commands[name]?.(args[1], args[2]);
    else warn(`unknown command ${name}`);
  });

  // An element with that id is nobody's svc either.
  if (!stub || stub.nodeType || stub.q || (typeof stub === 'function' && /\.q\b/.test(`${stub}`))) {
    const queue: unknown[] = Array.isArray(stub?.q) ? stub.q : [];
    const svc: Svc = (...args) => run(args);
    svc.sdk = 1;
    svc.q = queue;
    page.svc = svc;
    for (let i = 0; i < queue.length; i++) run(queue[i] as ArrayLike<unknown>);
    // The page's stub may be held somewhere and push later. Defined, as frozen prototypes refuse an assignment.
    Object.defineProperty(queue, 'push', { value: run });
  } else warn('svc is taken');
  // Who was remembered before has agreed before.
  if (!isBooted && options.site) (read(VISITOR) ? begin : ask)();

  listen(doc, 'visibilitychange', () => {
    if (doc.hidden) outbox.flush();
  });
  listen(page, 'pagehide', outbox.flush);
  listen(page, 'online', () => {
    if (hasBegun) begin();
    else if (options.site) ask();
  });
  listen(page, 'storage', ({ key, newValue }: StorageEvent) => {
    if (key && key !== VISITOR) return;
    const before = told;
    if (!newValue) {
      forgetFresh();
      forgetHere();
    } else if (!hasBegun) begin();
    else if (before && readVisitor().key !== before) tellPanel(before);
  });
  listen(page.navigation as EventTarget | undefined, 'navigatesuccess', () =>
    launcher?.post({ type: 'page', page_url: location.href, page_title: doc.title }),
  );
};

guard(start)();
