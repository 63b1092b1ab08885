import type { LauncherLook, ToSdk, ToWidget, WidgetLook } from '@foyer/protocol';
import { contrasting, DEFAULT_COLOR, isColor } from './color.ts';
import { guard, isObject, listen } from './guard.ts';
import { LAUNCHER_STYLE } from './launcher-style.ts';
import { markTitle } from './title.ts';

/** The site's look, as far as the page does not say otherwise. */
export interface LauncherOptions extends Partial<LauncherLook> {
  /** False: no button; the page opens the chat itself. */
  launcher?: boolean;
}

/** What the SDK gives to the launcher, which is loaded after it. */
export interface LauncherParts {
  options: LauncherOptions;
  /** The address of the chat. */
  src: string;
  greet(): ToWidget;
  adopt(look: WidgetLook): void;
  /** The visitor is one to remember: they or the page open the panel, or an agent has written. */
  begin(): void;
  /** The chat has answered `init`. */
  arrived(): void;
  keep(kept: object): void;
  emit(event: string, detail?: unknown): void;
}

export interface Launcher {
  open(): void;
  close(): void;
  show(isVisible: boolean): void;
  /** Draws what the options say now. */
  paint(): void;
  /** Loads the chat, hidden, so that a click finds it there. */
  preload(): void;
  /** Reaches the chat only if it was loaded; what it missed, it gets with `init`. */
  post(message: ToWidget): void;
  /**
   * The chat forgets the visitor. It is loaded for that, because it keeps things of its own.
   * @returns false when it has not answered yet, and may never hear of it
   */
  reset(key: string): boolean;
}

/** Until the site has told its words. */
const ENGLISH = { chat: 'Chat', open: 'Open chat', close: 'Close chat' };

const doc = document;
const create = <K extends keyof HTMLElementTagNameMap>(tag: K) => doc.createElement(tag);

/** The button and the panel in a shadow root, where the page's styles don't reach them. */
const build = () => {
  const host = create('div');
  const root = host.attachShadow({ mode: 'open' });
  const button = create('button');
  const logo = create('img');
  const label = create('u');
  const badge = create('b');
  // Allowed under a strict style-src of the page, which a style element is not.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAUNCHER_STYLE);
  root.adoptedStyleSheets = [sheet];
  // Until it is there, and where the page's img-src forbids it, the icon stands.
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
 * Keeps the host beside the body, which Turbo, htmx and Astro replace, and whose transform would move what is fixed in
 * it. What replaces the whole document takes the host along; its frame loads again where it is put back.
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
  // In a task of its own: a page that takes the host away each time must not be held up for ever.
  const observer = new MutationObserver(() => setTimeout(guard(attach)));
  observer.observe(doc, { childList: true });
  attach();
};

interface Shown {
  isOpen: boolean;
  isVisible: boolean;
  /** How many messages the visitor has not read, also in words. */
  unread: { count: number; label: string };
}

/** Draws the button as the options say. */
const draw = (
  [host, , button, logo, label, badge]: ReturnType<typeof build>,
  { options, src }: LauncherParts,
  { isOpen, isVisible, unread }: Shown,
) => {
  const { color, position, launcher, launcher_text: text, logo_url, theme, words = ENGLISH } = options;
  const ground = isColor(color) ? color : DEFAULT_COLOR;
  const scheme = theme === 'light' || theme === 'dark' ? theme : 'light dark';
  const count = isOpen ? 0 : unread.count;
  // Important: a page's `div { display: none !important }` would beat the sheet inside.
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

/** By its mark alone: what an origin of ours sends has the shape that it should. */
const isFromChat = (data: unknown): data is ToSdk => isObject(data) && data.foyer === 1;

/** The chat in its frame, from which messages come to `hear`. */
const createFrame = (
  { src, options, greet }: LauncherParts,
  root: ShadowRoot,
  hear: (message: ToSdk) => void,
) => {
  const { origin } = new URL(src);
  let frame: HTMLIFrameElement | undefined;
  let isLoaded = false;
  let hasAnswered = false;
  const post = (message: ToWidget) => {
    if (isLoaded) frame?.contentWindow?.postMessage({ foyer: 1, ...message }, origin);
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
    /** The host was put back into the page: the frame loads again. */
    unload() {
      isLoaded = hasAnswered = false;
    },
    /** @param loaded runs whenever the chat has loaded and was greeted */
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

/** What the chat has to say to the SDK and to the page. */
const passOn = (message: ToSdk, { begin, arrived, keep, adopt, emit }: LauncherParts) => {
  if (message.type === 'here') arrived();
  if (message.type === 'keep') keep(message.kept);
  if (message.type === 'message') emit('message', { sender: message.sender, text: message.text });
  if (message.type === 'ready') adopt(message.look);
  if (message.type === 'unread') {
    // An agent spoke first: the next page must find the chat.
    if (message.count) begin();
    emit('unread', message.count);
  }
};

/** Mounts the button and the panel; the panel's frame is loaded when it is needed. */
export const mount = (parts: LauncherParts): Launcher => {
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
  return { open, close, show, paint, preload, post: frame.post, reset };
};
