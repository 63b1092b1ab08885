import type { LauncherLook, ToSdk, ToWidget, WidgetLook } from '@foyer/protocol';
import { guard, isObject, listen } from '../guard.ts';
import { contrasting, DEFAULT_COLOR, isColor } from './color.ts';
import { LAUNCHER_STYLE } from './style.ts';
import { markTitle } from './title.ts';

/** The site's look, unless the page overrides it. */
export interface LauncherOptions extends Partial<LauncherLook> {
  /** False: no button; the page opens the chat itself. */
  launcher?: boolean;
}

/** What the SDK passes to the launcher, which is loaded later. */
export interface PanelParts {
  options: LauncherOptions;
  /** The address of the chat. */
  src: string;
  greet(): ToWidget;
  adopt(look: WidgetLook): void;
  /** The visitor must be remembered from now on: they or the page opened the panel, or an agent has written. */
  begin(): void;
  /** The chat has answered `init`. */
  arrived(): void;
  keep(kept: object): void;
  emit(event: string, detail?: unknown): void;
}

/** The chat's button and its panel. */
export interface Panel {
  open(): void;
  close(): void;
  show(isVisible: boolean): void;
  /** Redraws with the current options. */
  paint(): void;
  /** Loads the chat, hidden, so that it is ready when the visitor clicks. */
  preload(): void;
  /**
   * Only reaches a loaded chat. One that is loaded later gets the state with `init`.
   * @returns whether it is loaded
   */
  post(message: ToWidget): boolean;
  /** Where the button and the panel are. */
  root: ShadowRoot;
  /**
   * Makes the chat forget the visitor. Loads it if necessary, because it has its own storage.
   * @returns false if it hasn't answered yet, so that it may never receive this
   */
  reset(key: string): boolean;
}

/** Used until the site's words are loaded. */
const ENGLISH = { chat: 'Chat', open: 'Open chat', close: 'Close chat' };

const doc = document;
const create = <K extends keyof HTMLElementTagNameMap>(tag: K) => doc.createElement(tag);

/** The button and the panel, in a shadow root that the page's styles don't reach. */
const build = () => {
  const host = create('div');
  const root = host.attachShadow({ mode: 'open' });
  const button = create('button');
  const logo = create('img');
  const label = create('u');
  const badge = create('b');
  // Works under a strict style-src of the page, unlike a style element.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAUNCHER_STYLE);
  root.adoptedStyleSheets = [sheet];
  // The icon is shown until the logo has loaded, and if the page's img-src forbids it.
  logo.alt = '';
  logo.hidden = true;
  listen(logo, 'load', () => {
    logo.hidden = false;
  });
  button.append(logo, create('i'), label, badge);
  root.append(button);
  return [host, root, button, logo, label, badge] as const;
};

/**
 * Keeps the host element beside the body, because Turbo, htmx and Astro replace the body, and its transform would
 * move fixed elements. If the whole document is replaced, the host moves along, and its frame reloads.
 */
const keepAttached = (host: HTMLElement, attaches: () => void) => {
  const attach = () => {
    const page = doc.documentElement;
    if (!page) return;
    if (!host.isConnected) {
      attaches();
      page.append(host);
    }
    observer.observe(page, { childList: true });
  };
  // In a separate task: a page that removes the host each time must not be blocked forever.
  const observer = new MutationObserver(() => setTimeout(guard(attach)));
  observer.observe(doc, { childList: true });
  attach();
};

interface Shown {
  isOpen: boolean;
  isVisible: boolean;
  /** The number of unread messages, also in words. */
  unread: { count: number; label: string };
}

/** Draws the button according to the options. */
const draw = (
  [host, , button, logo, label, badge]: ReturnType<typeof build>,
  { options, src }: PanelParts,
  { isOpen, isVisible, unread }: Shown,
) => {
  const { color, position, launcher, launcher_text: text, logo_url, theme, words = ENGLISH } = options;
  const ground = isColor(color) ? color : DEFAULT_COLOR;
  const scheme = theme === 'light' || theme === 'dark' ? theme : 'light dark';
  const count = isOpen ? 0 : unread.count;
  // Important: a page's `div { display: none !important }` would override the inner style sheet.
  host.style.cssText = `all:initial!important;position:fixed!important;z-index:2147483000!important;--c:${ground};--i:${contrasting(ground)};--s:${scheme}`;
  host.className = `${isOpen ? 'o ' : ''}${isVisible ? '' : 'h '}${position === 'left' ? 'l' : ''}`;
  button.hidden = launcher === false;
  button.ariaExpanded = `${isOpen}`;
  button.ariaLabel = `${isOpen ? words.close : words.open}${text ? `: ${text}` : ''}${count ? `, ${unread.label}` : ''}`;
  label.textContent = text ?? '';
  label.hidden = !text;
  const address = logo_url ? new URL(logo_url, src).href : '';
  if (address && logo.src !== address) logo.src = address;
  if (!address) logo.hidden = true;
  badge.textContent = count > 9 ? '9+' : `${count}`;
  badge.hidden = !count;
  markTitle(count);
};

/** The mark is enough: messages from our origin have the expected form. */
const isFromChat = (data: unknown): data is ToSdk => isObject(data) && data.foyer === 1;

/** The chat's frame, whose messages go to `hear`. */
const createFrame = (
  { src, options, greet }: PanelParts,
  root: ShadowRoot,
  hear: (message: ToSdk) => void,
) => {
  const { origin } = new URL(src);
  let frame: HTMLIFrameElement | undefined;
  let isLoaded = false;
  let hasAnswered = false;
  const post = (message: ToWidget) => {
    if (isLoaded) frame?.contentWindow?.postMessage({ foyer: 1, ...message }, origin);
    return isLoaded;
  };
  listen(window, 'message', ({ data, source, origin: from }: MessageEvent<unknown>) => {
    if (!frame || source !== frame.contentWindow || from !== origin) return;
    if (!isFromChat(data)) return;
    if (data.type === 'here') hasAnswered = true;
    hear(data);
  });
  return {
    post,
    focus: () => frame?.focus(),
    hasAnswered: () => hasAnswered,
    /** The host was moved in the page, so the frame reloads. */
    unload() {
      isLoaded = hasAnswered = false;
    },
    /** @param loaded called each time the chat has loaded and answered */
    load(loaded: () => void) {
      if (frame) return;
      frame = create('iframe');
      frame.title = (options.words ?? ENGLISH).chat;
      frame.src = src;
      listen(frame, 'load', () => {
        isLoaded = true;
        post(greet());
        loaded();
      });
      root.append(frame);
    },
  };
};

/** Passes the chat's messages to the SDK and the page. */
const passOn = (message: ToSdk, { begin, arrived, keep, adopt, emit }: PanelParts) => {
  if (message.type === 'here') arrived();
  if (message.type === 'keep') keep(message.kept);
  if (message.type === 'message') emit('message', { sender: message.sender, text: message.text });
  if (message.type === 'ready') adopt(message.look);
  if (message.type === 'unread') {
    // An agent wrote first: the next page must find the chat.
    if (message.count) begin();
    emit('unread', message.count);
  }
};

/**
 * Mounts the button and the panel; the panel's frame is loaded when it is needed.
 * @throws in a file and in a sandboxed page, where no browser loads the frame
 */
export const mount = (parts: PanelParts): Panel => {
  if (self.origin === 'null') throw Error('no chat in a page without an origin');
  const elements = build();
  const [host, root, button] = elements;
  const shown: Shown = { isOpen: false, isVisible: true, unread: { count: 0, label: '' } };
  let returnTo: HTMLElement | null;

  const paint = () => draw(elements, parts, shown);
  const open = () => {
    if (shown.isOpen) return;
    parts.begin();
    preload();
    returnTo = doc.activeElement === host ? null : (doc.activeElement as HTMLElement | null);
    shown.isOpen = shown.isVisible = true;
    paint();
    frame.focus();
    frame.post({ type: 'opened' });
    parts.emit('open');
  };
  const close = () => {
    if (!shown.isOpen) return;
    shown.isOpen = false;
    const hadFocus = doc.activeElement === host;
    paint();
    frame.post({ type: 'closed' });
    if (hadFocus) (returnTo?.isConnected && returnTo !== doc.body ? returnTo : button).focus();
    parts.emit('close');
  };
  const frame = createFrame(parts, root, (message) => {
    if (message.type === 'open') open();
    if (message.type === 'close') close();
    if (message.type === 'unread') {
      shown.unread = message;
      paint();
    }
    passOn(message, parts);
  });
  const preload = () => frame.load(() => shown.isOpen && frame.post({ type: 'opened' }));

  paint();
  keepAttached(host, frame.unload);
  listen(button, 'click', () => (shown.isOpen ? close() : open()));
  listen(host, 'keydown', (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  });
  const show = (isVisible: boolean) => {
    if (!isVisible) close();
    shown.isVisible = isVisible;
    paint();
  };
  const reset = (key: string) => {
    close();
    preload();
    frame.post({ type: 'reset', key });
    return frame.hasAnswered();
  };
  return { open, close, show, paint, preload, post: frame.post, reset, root };
};
