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
  /** Before the panel is loaded because the visitor or the page opens it. */
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

/** Mounts the button and the panel in a shadow root, where the page's styles don't reach them. */
export const mount = ({
  options,
  src,
  greet,
  adopt,
  begin,
  arrived,
  keep,
  emit,
}: LauncherParts): Launcher => {
  const { origin } = new URL(src);
  const host = create('div');
  const root = host.attachShadow({ mode: 'open' });
  const button = create('button');
  const logo = create('img');
  const label = create('u');
  const badge = create('b');
  let frame: HTMLIFrameElement | undefined;
  let isLoaded = false;
  let hasAnswered = false;
  let isOpen = false;
  let isVisible = true;
  let unread = 0;
  let unreadLabel = '';
  let returnTo: HTMLElement | null;

  /**
   * Beside the body, which Turbo, htmx and Astro replace, and whose transform would move what is fixed in it. What
   * replaces the whole document takes the host along; its frame loads again where it is put back.
   */
  const attach = () => {
    const page = doc.documentElement;
    if (!page) return;
    if (!host.isConnected) {
      isLoaded = hasAnswered = false;
      page.append(host);
    }
    observer.observe(page, { childList: true });
  };
  // In a task of its own: a page that takes the host away each time must not be held up for ever.
  const observer = new MutationObserver(() => setTimeout(guard(attach)));

  const paint = () => {
    const { color, position, launcher, launcher_text: text, logo_url, theme, words = ENGLISH } = options;
    const ground = isColor(color) ? color : DEFAULT_COLOR;
    const scheme = theme === 'light' || theme === 'dark' ? theme : 'light dark';
    const count = isOpen ? 0 : unread;
    // Important: a page's `div { display: none !important }` would beat the sheet inside.
    host.style.cssText = `all:initial!important;position:fixed!important;z-index:2147483000!important;--c:${ground};--i:${contrasting(ground)};--s:${scheme}`;
    host.className = `${isOpen ? 'o ' : ''}${isVisible ? '' : 'h '}${position === 'left' ? 'l' : ''}`;
    button.hidden = launcher === false;
    button.ariaExpanded = `${isOpen}`;
    button.ariaLabel = `${isOpen ? words.close : words.open}${text ? `: ${text}` : ''}${count ? `, ${unreadLabel}` : ''}`;
    label.textContent = text ?? '';
    label.hidden = !text;
    const address = logo_url ? new URL(logo_url, src).href : '';
    if (address && logo.src !== address) logo.src = address;
    if (!address) logo.hidden = true;
    badge.textContent = count > 9 ? '9+' : `${count}`;
    badge.hidden = !count;
    markTitle(count);
  };

  const post = (message: ToWidget) => {
    if (isLoaded) frame?.contentWindow?.postMessage({ foyer: 1, ...message }, origin);
  };

  const preload = () => {
    if (frame) return;
    frame = create('iframe');
    frame.title = (options.words ?? ENGLISH).chat;
    frame.src = src;
    listen(frame, 'load', () => {
      isLoaded = true;
      post(greet());
      if (isOpen) post({ type: 'opened' });
    });
    root.append(frame);
  };

  const open = () => {
    if (isOpen) return;
    begin();
    preload();
    returnTo = doc.activeElement === host ? null : (doc.activeElement as HTMLElement | null);
    isOpen = isVisible = true;
    paint();
    frame?.focus();
    post({ type: 'opened' });
    emit('open');
  };

  const close = () => {
    if (!isOpen) return;
    isOpen = false;
    const hadFocus = doc.activeElement === host;
    paint();
    post({ type: 'closed' });
    if (hadFocus) (returnTo?.isConnected && returnTo !== doc.body ? returnTo : button).focus();
    emit('close');
  };

  const show = (visible: boolean) => {
    if (!visible) close();
    isVisible = visible;
    paint();
  };

  const reset = (key: string) => {
    close();
    preload();
    post({ type: 'reset', key });
    return hasAnswered;
  };

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
  paint();
  observer.observe(doc, { childList: true });
  attach();

  listen(button, 'click', () => (isOpen ? close() : open()));
  listen(host, 'keydown', (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  });
  listen(window, 'message', (event: MessageEvent<unknown>) => {
    const { data, source } = event;
    if (!frame || source !== frame.contentWindow || event.origin !== origin) return;
    if (!isObject(data) || data.foyer !== 1) return;
    const message = data as ToSdk | { type: undefined };
    if (message.type === 'here') {
      hasAnswered = true;
      arrived();
    }
    if (message.type === 'open') open();
    if (message.type === 'close') close();
    if (message.type === 'keep') keep(message.kept);
    if (message.type === 'message') emit('message', { sender: message.sender, text: message.text });
    if (message.type === 'ready') adopt(message.look);
    if (message.type === 'unread') {
      unread = message.count;
      unreadLabel = message.label;
      paint();
      emit('unread', unread);
    }
  });
  return { open, close, show, paint, preload, post, reset };
};
