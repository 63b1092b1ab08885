import type { ToSdk, ToWidget } from '@foyer/protocol';
import { contrasting, DEFAULT_COLOR, isColor } from './color.ts';
import { isObject, listen } from './guard.ts';
import { LAUNCHER_STYLE } from './launcher-style.ts';

export interface LauncherOptions {
  site?: string;
  position?: 'left' | 'right';
  color?: string;
  /** False: no button; the page opens the chat itself. */
  launcher?: boolean;
}

export interface Launcher {
  open(): void;
  close(): void;
  show(visible: boolean): void;
  /** Loads the chat, hidden, so that a click finds it there. */
  preload(): void;
  /** Reaches the widget only if it was loaded; what it missed, it gets with `init`. */
  post(message: ToWidget): void;
}

const doc = document;
const create = <K extends keyof HTMLElementTagNameMap>(tag: K) => doc.createElement(tag);

/**
 * The button and the panel, in a shadow root that the page's style does not reach (decisions 6).
 * @param base where the service is, without a slash at the end
 */
export const createLauncher = (
  options: LauncherOptions,
  base: string,
  greet: () => ToWidget,
  emit: (event: string, detail?: unknown) => void,
  keep: (kept: unknown) => void,
): Launcher => {
  const { origin } = new URL(base);
  const host = create('div');
  const button = create('button');
  const badge = create('b');
  let frame: HTMLIFrameElement | undefined;
  let isOpen = false;
  let isVisible = true;
  let unread = 0;
  let returnTo: HTMLElement | null;
  let mark = '';

  const paint = () => {
    const color = isColor(options.color) ? options.color : DEFAULT_COLOR;
    const count = isOpen ? 0 : unread;
    button.style.cssText = `--c:${color};--i:${contrasting(color)}`;
    button.ariaExpanded = `${isOpen}`;
    button.ariaLabel = isOpen ? 'Close chat' : `Open chat${count ? `, ${count} unread` : ''}`;
    badge.textContent = count > 9 ? '9+' : `${count}`;
    badge.hidden = !count;
    host.className = `${isOpen ? 'o ' : ''}${isVisible ? '' : 'h '}${options.position === 'left' ? 'l' : ''}`;
    // A page that swaps its body takes the host along.
    if (!host.isConnected) doc.body.append(host);
    // Only the mark that was made here is taken off the title.
    let { title } = doc;
    if (mark && title.startsWith(mark)) title = title.slice(mark.length);
    mark = count ? `(${count}) ` : '';
    if (doc.title !== mark + title) doc.title = mark + title;
  };

  const post = (message: ToWidget) => frame?.contentWindow?.postMessage({ foyer: 1, ...message }, origin);

  const preload = () => {
    if (frame) return;
    const made = create('iframe');
    frame = made;
    made.title = 'Chat';
    made.src = `${base}/widget/${options.site}`;
    listen(made, 'load', () => {
      post(greet());
      if (isOpen) post({ type: 'opened' });
    });
    root.prepend(made);
  };

  const open = () => {
    preload();
    if (isOpen) return;
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
    isVisible = visible;
    paint();
  };

  // Important: a page's `div { display: none !important }` would beat the sheet inside.
  host.style.cssText = 'all:initial!important;position:fixed!important;z-index:2147483000!important';
  const root = host.attachShadow({ mode: 'open' });
  // Allowed under a strict style-src of the page, which a style element is not.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(LAUNCHER_STYLE);
  root.adoptedStyleSheets = [sheet];
  button.append(create('i'), badge);
  button.hidden = options.launcher === false;
  root.append(button);
  paint();

  listen(button, 'click', () => (isOpen ? close() : open()));
  listen(host, 'keydown', (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  });
  listen(window, 'message', (event: MessageEvent<unknown>) => {
    const { data, source } = event;
    if (!frame || source !== frame.contentWindow || event.origin !== origin) return;
    if (!isObject(data) || data.foyer !== 1) return;
    const message = data as ToSdk | { type: undefined };
    if (message.type === 'open') open();
    if (message.type === 'close') close();
    if (message.type === 'keep') keep(message.kept);
    if (message.type === 'message') emit('message', { sender: message.sender, text: message.text });
    if (message.type === 'ready') {
      options.color ??= message.look.color;
      paint();
    }
    if (message.type === 'unread') {
      unread = message.count;
      paint();
      emit('unread', unread);
    }
  });
  return { open, close, show, preload, post };
};
