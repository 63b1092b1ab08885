import type { Bubble, ProactiveRule } from '@foyer/protocol';
import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { isRightToLeft } from '@foyer/protocol/values/languages';
import type { ChatParts } from '../chat-parts.ts';
import { guard, listen } from '../guard.ts';
import type { Panel } from '../launcher/panel.ts';
import { element, rich } from './rich.ts';
import { BUBBLE_STYLE } from './style.ts';

/** The bubble that is on the page, and why. */
export interface Shown {
  rule: ProactiveRule;
  close(): void;
}

interface Doings {
  /** The visitor is about to answer. Called once. */
  opened(): void;
  send(text: string): void;
  /** It is gone, however that came. */
  closed(): void;
}

/** Until the site's words are loaded. */
const ENGLISH = { bot: 'Bot', not_now: 'Not now', placeholder: 'Write a message…', send: 'Send' };
const CROSS = 'M6 6l12 12M18 6L6 18';
const ARROW = 'M5 12h14M13 6l6 6-6 6';
const SVG = 'http://www.w3.org/2000/svg';

const icon = (d: string): SVGElement => {
  const svg = document.createElementNS(SVG, 'svg');
  const path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  path.setAttribute('d', d);
  svg.append(path);
  return svg;
};

/** The sender's picture, or else the first letter: also if the page's img-src forbids the picture. */
const face = ({ base }: ChatParts, { sender: { name, picture_url } }: Bubble): HTMLElement => {
  const letter = element('i', { ariaHidden: 'true' }, [...name][0] ?? '');
  if (!picture_url) return letter;
  const picture = element('img', { src: new URL(picture_url, base).href, alt: '' });
  listen(picture, 'error', () => picture.replaceWith(letter));
  return picture;
};

const build = (parts: ChatParts, bubble: Bubble) => {
  const { text, language, sender, words = ENGLISH } = bubble;
  const name = element('b', { dir: 'auto' }, sender.name);
  if (sender.is_bot && sender.name !== words.bot) name.append(element('span', {}, words.bot));
  const dismiss = element(
    'button',
    { type: 'button', ariaLabel: words.not_now, title: words.not_now },
    icon(CROSS),
  );
  const field = element('textarea', {
    rows: 1,
    maxLength: MESSAGE_MAX,
    placeholder: words.placeholder,
    dir: 'auto',
  });
  field.ariaLabel = words.placeholder;
  const submit = element(
    'button',
    { type: 'submit', ariaLabel: words.send, title: words.send, hidden: true },
    icon(ARROW),
  );
  const form = element('form', {}, field, submit);
  const said = element('div', { className: 'text', dir: 'auto', lang: language });
  // Screen readers announce what a live region gets, not what it has when it appears.
  said.role = 'status';
  const section = element(
    'section',
    { ariaLabel: sender.name },
    element('header', {}, face(parts, bubble), name, dismiss),
    said,
    form,
  );
  section.lang = language;
  section.dir = isRightToLeft(language) ? 'rtl' : 'ltr';
  setTimeout(guard(() => said.append(...rich(text))));
  return { section, dismiss, field, submit, form };
};

/** Beside the button, in its shadow root, so that the page's styles don't reach it. */
const place = ({ options }: ChatParts, { root }: Panel, section: HTMLElement): HTMLElement => {
  const box = element('div');
  if (options.position === 'left') box.classList.add('l');
  if (options.launcher === false) box.classList.add('b');
  const inner = box.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(BUBBLE_STYLE);
  inner.adoptedStyleSheets = [sheet];
  inner.append(section);
  root.append(box);
  return box;
};

/**
 * Shows a bubble until it is closed or answered, or the chat is opened. It takes no focus. Escape closes it if it has
 * the focus, or if nothing on the page has.
 */
export const showBubble = (
  parts: ChatParts,
  panel: Panel,
  bubble: Bubble,
  doings: Doings,
): Pick<Shown, 'close'> => {
  const { section, dismiss, field, submit, form } = build(parts, bubble);
  const box = place(parts, panel, section);
  const { root } = panel;
  const close = () => {
    if (!box.isConnected) return;
    const hadFocus = root.activeElement === box;
    box.remove();
    watch.disconnect();
    document.removeEventListener('keydown', onKey);
    if (hadFocus) root.querySelector('button')?.focus();
    doings.closed();
  };
  const watch = new MutationObserver(guard(() => /\bo\b/.test(root.host.className) && close()));
  watch.observe(root.host, { attributeFilter: ['class'] });
  const onKey = guard((event: KeyboardEvent) => {
    const { activeElement } = document;
    const isElsewhere = activeElement && activeElement !== document.body && activeElement !== root.host;
    if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere) close();
  });
  document.addEventListener('keydown', onKey);
  const send = () => {
    const text = field.value.trim();
    if (!text) return field.focus();
    close();
    doings.send(text);
  };
  listen(dismiss, 'click', close);
  listen(field, 'focus', () => {
    if (submit.hidden) doings.opened();
    submit.hidden = false;
  });
  listen(field, 'keydown', (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  listen(form, 'submit', (event: Event) => {
    event.preventDefault();
    send();
  });
  return { close };
};
