import { begin, loadChat, shownKey, updateChat } from './chat.ts';
import { forgetHere, isBooted, run } from './commands.ts';
import { hasBegun } from './consent.ts';
import { guard, listen, warn } from './guard.ts';
import { forgetFresh, readVisitor, VISITOR } from './identity.ts';
import { outbox } from './sending.ts';
import { options, readTag } from './settings.ts';
import { read } from './store.ts';

/** The global function, and the queue that the page's stub has filled. */
type Svc = { (...args: unknown[]): void; q?: unknown; sdk?: 1; nodeType?: number };

declare global {
  interface Window {
    svc?: Svc | null;
  }
}

/** Replaces the stub and runs its queue. */
const takeStub = (stub: Svc | null | undefined) => {
  // An element with that id isn't a stub either.
  if (!stub || stub.nodeType || stub.q || (typeof stub === 'function' && /\.q\b/.test(`${stub}`))) {
    const queue: unknown[] = Array.isArray(stub?.q) ? stub.q : [];
    const svc: Svc = (...args) => run(args);
    svc.sdk = 1;
    svc.q = queue;
    window.svc = svc;
    // Commands that these run may push are run too.
    for (const args of queue) run(args as ArrayLike<unknown>);
    // The page may keep its stub and push later. Uses defineProperty because frozen prototypes reject an
    // assignment.
    Object.defineProperty(queue, 'push', { value: run });
  } else warn('svc is taken');
};

const listenToPage = () => {
  listen(document, 'visibilitychange', () => {
    if (document.hidden) outbox.flush();
  });
  listen(window, 'pagehide', outbox.flush);
  listen(window, 'online', () => {
    if (hasBegun) begin();
    else if (options.site) loadChat();
  });
  listen(window, 'storage', ({ key, newValue }: StorageEvent) => {
    if (key && key !== VISITOR) return;
    const before = shownKey;
    if (!newValue) {
      forgetFresh();
      forgetHere();
    } else if (!hasBegun) begin();
    else if (before && readVisitor().key !== before) updateChat(before);
  });
};

/** Starts the SDK, unless the page has started it already. */
const start = () => {
  const stub = window.svc;
  if (stub?.sdk) return;
  readTag();
  takeStub(stub);
  // A visitor remembered by this browser has consented before.
  if (!isBooted && options.site) (read(VISITOR) ? begin : loadChat)();
  listenToPage();
};

guard(start)();
