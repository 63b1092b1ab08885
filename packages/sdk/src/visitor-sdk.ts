import type { Scalar, SdkAttributes, ToWidget } from '@foyer/protocol';
import { guard, isObject, listen, warn } from './guard.ts';
import {
  forgetVisitor,
  isAnonymous,
  KEPT,
  mergeVisitor,
  readVisitor,
  storeEvent,
  VISITOR,
} from './identity.ts';
import { createLauncher, type Launcher, type LauncherOptions } from './launcher.ts';
import { type Answer, createOutbox, type OutboxItem } from './outbox.ts';
import { type Destination, describeRequest } from './request.ts';
import { createStore } from './store.ts';

const REQUEST_TIMEOUT_MS = 20_000;
/** Browsers allow 64 KiB for all `keepalive` bodies together, and the outbox sends six at a time. */
const KEEPALIVE_MAX_CHARACTERS = 9_000;
const PROPERTIES_MAX_CHARACTERS = 8192;
const PRELOAD_WITHOUT_IDLE_MS = 2_000;

/** What `boot` may be given (interface, "Visitor SDK"; decisions 6). */
export interface BootOptions extends LauncherOptions, Destination {
  locale?: string;
}

/** The global function, and the queue that the page's stub filled before. */
type Svc = { (...args: unknown[]): void; q?: unknown; sdk?: 1 };

declare global {
  interface Window {
    svc?: Svc | null;
  }
}

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

  const store = createStore(() => localStorage);
  const handlers: [event: unknown, handler: (detail?: unknown) => void][] = [];
  let isBooted = false;
  let isReady = false;
  let launcher: Launcher | undefined;
  let wantsOpen = false;
  let isHidden = false;
  let toldKey = '';

  const emit = (event: string, detail?: unknown) => {
    for (const [name, handler] of handlers) if (name === event) guard(handler)(detail);
  };

  const send = async (item: OutboxItem): Promise<Answer> => {
    const [url, body, headers] = describeRequest(item, options, base);
    const text = JSON.stringify(body);
    const answer = await fetch(url, {
      method: 'POST',
      body: text,
      credentials: 'omit',
      keepalive: text.length < KEEPALIVE_MAX_CHARACTERS,
      headers: headers ?? {},
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return [answer.status, Number(answer.headers.get('Retry-After'))];
  };
  const outbox = createOutbox(store, send);

  const person = () => {
    const { key, attributes } = readVisitor(store);
    toldKey = key;
    return { key, attributes, user_hash: options.userHash };
  };
  const greet = () => {
    const { locale, color, position } = options;
    return {
      type: 'init',
      ...person(),
      page_url: location.href,
      locale,
      color,
      position,
      kept: store.read(KEPT),
    } as ToWidget;
  };
  /** @param before the key until now, if it is another one */
  const tellWidget = (before?: string) => {
    if (!launcher) return;
    const visitor = person();
    if (before && !isAnonymous(before)) launcher.post({ type: 'reset', key: visitor.key });
    launcher.post({ type: 'identify', ...visitor, previous_key: before } as ToWidget);
  };

  const mount = () => {
    if (launcher) return;
    launcher = createLauncher(options, base, greet, emit, (kept) => store.write(KEPT, kept));
    if (isHidden) launcher.show(false);
    if (wantsOpen) launcher.open();
    const preload = guard(launcher.preload);
    // Safari has no idle callback.
    const idle: (run: () => void) => void =
      page.requestIdleCallback ?? ((run) => setTimeout(run, PRELOAD_WITHOUT_IDLE_MS));
    if (doc.readyState === 'complete') idle(preload);
    else listen(page, 'load', () => idle(preload));
  };

  const loadWidget = async () => {
    const { site, color } = options;
    if (!color) {
      try {
        const answer = await fetch(`${base}/widget/config?site=${site}`);
        if (answer.status === 404) return warn(`no site ${site}`);
        options.color = (await answer.json()).data.color;
      } catch {
        // Offline, or the page's connect-src forbids it: the chat still works, in the default colour.
      }
    }
    if (doc.body) guard(mount)();
    else listen(doc, 'DOMContentLoaded', mount);
  };

  const begin = () => {
    if (options.apiToken || options.site) outbox.start();
    if (options.site) loadWidget();
    if (!isReady) emit('ready');
    isReady = true;
  };

  const identify = (given: unknown) => {
    if (!isObject(given)) return warn('bad identify');
    const { userHash, ...rest } = given;
    if (userHash) options.userHash = `${userHash}`;
    const attributes: SdkAttributes = {};
    for (const [name, value] of Object.entries(rest)) {
      const plain = value instanceof Date ? value.toJSON() : value;
      if (Object(plain) === plain) warn(`bad attribute ${name}`);
      else if (plain !== undefined) attributes[name] = plain as Scalar;
    }
    const [before, key, changed] = mergeVisitor(store, attributes);
    outbox.identify(before, key, changed);
    tellWidget(key === before ? undefined : before);
  };

  const commands: Record<string, (first?: unknown, second?: unknown) => void> = {
    boot(given) {
      if (isBooted) return warn('booted already');
      isBooted = true;
      Object.assign(options, given);
      begin();
    },
    identify,
    update: identify,
    track(given, properties) {
      const name = `${given ?? ''}`.trim();
      if (!name) return warn('bad track');
      const json = JSON.stringify(properties ?? {});
      const isFine = isObject(properties ?? {}) && json.length <= PROPERTIES_MAX_CHARACTERS;
      if (!isFine) warn(`bad properties of ${name}`);
      outbox.track(readVisitor(store).key, storeEvent(store, name, isFine ? JSON.parse(json) : {}));
    },
    reset() {
      outbox.flush();
      delete options.userHash;
      forgetVisitor(store);
      launcher?.close();
      launcher?.post({ type: 'reset', key: person().key });
    },
    show() {
      isHidden = false;
      launcher?.show(true);
    },
    hide() {
      isHidden = true;
      launcher?.close();
      launcher?.show(false);
    },
    open() {
      wantsOpen = true;
      isHidden = false;
      launcher?.open();
    },
    close() {
      wantsOpen = false;
      launcher?.close();
    },
    on(event, handler) {
      if (typeof handler !== 'function') return warn('bad on');
      const call = (detail: unknown) => handler(detail);
      handlers.push([event, call]);
      if (event === 'ready' && isReady) call(undefined);
    },
  };

  const run = guard((args: ArrayLike<unknown>) => {
    const name = `${args[0]}`;
    if (Object.hasOwn(commands, name)) commands[name]?.(args[1], args[2]);
    else warn(`unknown command ${name}`);
  });

  if (!stub || typeof stub === 'function') {
    const queue: unknown[] = Array.isArray(stub?.q) ? stub.q : [];
    const svc: Svc = (...args) => run(args);
    svc.sdk = 1;
    svc.q = queue;
    page.svc = svc;
    for (let i = 0; i < queue.length; i++) run(queue[i] as ArrayLike<unknown>);
    // The page's stub may be held somewhere and push later. Defined, as frozen prototypes refuse an assignment.
    Object.defineProperty(queue, 'push', { value: run });
  } else warn('svc is taken');
  if (!isBooted && options.site) begin();

  listen(doc, 'visibilitychange', () => {
    if (doc.hidden) outbox.flush();
  });
  listen(page, 'pagehide', outbox.flush);
  listen(page, 'online', () => {
    if (isReady) outbox.start();
  });
  listen(page, 'storage', ({ key, newValue }: StorageEvent) => {
    const before = toldKey;
    if (key === VISITOR && newValue && before && readVisitor(store).key !== before) tellWidget(before);
  });
  listen(page.navigation as EventTarget | undefined, 'navigatesuccess', () =>
    launcher?.post({ type: 'page', page_url: location.href }),
  );
};

guard(start)();
