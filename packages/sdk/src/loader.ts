/** Values of attributes; null removes one. */
export type AttributeValue = string | number | boolean | Date | null;

export interface Attributes {
  /** Your own id of the person, which becomes the visitor's key. */
  user_id?: string | number;
  email?: string | null;
  name?: string | null;
  /** Hex HMAC-SHA256 of `user_id` with the site's identity secret, computed on your server. */
  userHash?: string;
  [name: string]: AttributeValue | undefined;
}

export interface BootOptions {
  /** The site's public key. Without a site there is no chat. */
  site?: string;
  position?: 'left' | 'right';
  /** `#rrggbb` */
  color?: string;
  /** False: no button; you open the chat yourself. */
  launcher?: boolean;
  /** A language tag such as `de-CH`. */
  locale?: string;
  userHash?: string;
  /** A browser token; then `identify` and `track` go to the REST API. */
  apiToken?: string;
  /** The address of the REST API. */
  apiUrl?: string;
}

/** The details passed to handlers of `on`. */
export interface Events {
  ready: undefined;
  open: undefined;
  close: undefined;
  /** A message of the bot or an agent, cut to 140 characters. */
  message: { sender: 'bot' | 'agent'; text: string };
  /** How many messages are unread. */
  unread: number;
}

export interface Svc {
  (command: 'boot', options?: BootOptions): void;
  (command: 'identify' | 'update', attributes: Attributes): void;
  (command: 'track', name: string, properties?: Record<string, unknown>): void;
  (command: 'show' | 'hide' | 'open' | 'close' | 'reset'): void;
  <E extends keyof Events>(command: 'on', event: E, handler: (detail: Events[E]) => void): void;
}

export interface LoadOptions extends BootOptions {
  /** Where your Foyer is, such as `https://chat.example.com`. */
  url: string;
  site: string;
  /** The nonce of your Content-Security-Policy. */
  nonce?: string;
  /** False: the SDK waits for your `svc('boot')`, for sites that ask for consent. */
  boot?: boolean;
}

type Queue = ((...args: unknown[]) => void) & { q?: unknown; sdk?: unknown };
interface Page {
  svc?: Queue;
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): string };
  };
}

const isOurs = (known: Queue): boolean =>
  typeof known === 'function' && ('sdk' in known || 'q' in known || /\.q\b/.test(String(known)));

/** The page's own `svc`, or a queue until the SDK is loaded. Undefined on servers, and if the name is taken. */
const queue = (): Queue | undefined => {
  if (typeof window === 'undefined') return undefined;
  const page = window as Page;
  if (!page.svc) {
    const calls: unknown[] = [];
    page.svc = Object.assign((...args: unknown[]) => void calls.push(args), { q: calls });
  }
  return isOurs(page.svc) ? page.svc : undefined;
};

/** Calls the SDK, even before it has loaded. Does nothing on a server. */
export const svc: Svc = (...args: unknown[]): void => queue()?.(...args);

const withoutEndSlashes = (url: string): string =>
  url.endsWith('/') ? withoutEndSlashes(url.slice(0, -1)) : url;

/** A page that enforces Trusted Types must allow the policy `foyer`. */
const scriptUrl = (url: string): string => {
  const policy = (window as Page).trustedTypes?.createPolicy('foyer', { createScriptURL: (same) => same });
  return policy?.createScriptURL(url) ?? url;
};

let isLoading = false;

/** Loads the SDK once. Does nothing on a server. */
export const load = ({ url, nonce, boot = true, ...options }: LoadOptions): void => {
  if (isLoading || typeof document === 'undefined') return;
  isLoading = true;
  if (boot) svc('boot', options);
  const script = document.createElement('script');
  script.async = true;
  if (nonce) script.nonce = nonce;
  script.dataset.site = options.site;
  try {
    script.src = scriptUrl(`${withoutEndSlashes(url)}/assets/js/visitor-sdk.js`);
    document.head.append(script);
  } catch (error) {
    // Trusted Types without our policy: the page continues without the chat.
    console.warn(`[svc] ${error}`);
  }
};
