import { useEffect, useRef, useSyncExternalStore } from 'react';

export type CommandGroup = 'everywhere' | 'go' | 'list' | 'conversation' | 'writing';

interface Command {
  group: CommandGroup;
  /** In the form that `Keys` shows. `g i` is one key after the other. */
  keys?: string;
  /** The focused control handles these keys itself: the sheet lists them, nothing else calls them. */
  own?: true;
}

/**
 * Everything that can be done by key or from the palette, defined once for shortcuts, the sheet on `?` and the
 * palette. `useCommands` makes a command available.
 */
export const COMMANDS = {
  palette: { group: 'everywhere', keys: 'Ctrl K' },
  sheet: { group: 'everywhere', keys: '?' },
  close_layer: { group: 'everywhere', keys: 'Esc' },
  undo: { group: 'everywhere', keys: 'u' },
  new_ticket: { group: 'everywhere', keys: 'c' },
  write_article: { group: 'everywhere' },
  invite: { group: 'everywhere' },
  queue: { group: 'everywhere', keys: 'q' },
  presence: { group: 'everywhere' },
  theme: { group: 'everywhere' },
  language: { group: 'everywhere' },
  switch_site: { group: 'everywhere' },
  new_site: { group: 'everywhere' },
  sign_out: { group: 'everywhere' },
  go_inbox: { group: 'go', keys: 'g i' },
  go_visitors: { group: 'go', keys: 'g v' },
  go_knowledge: { group: 'go', keys: 'g k' },
  go_reports: { group: 'go', keys: 'g r' },
  go_settings: { group: 'go', keys: 'g s' },
  next: { group: 'list', keys: 'j' },
  before: { group: 'list', keys: 'k' },
  next_unread: { group: 'list', keys: 'Shift J' },
  search: { group: 'list', keys: '/' },
  filter: { group: 'list', keys: 'f' },
  sort: { group: 'list', keys: 'o' },
  select: { group: 'list', keys: 'x' },
  select_to: { group: 'list', keys: 'Shift X' },
  select_all: { group: 'list', keys: 'Ctrl A' },
  save_view: { group: 'list' },
  move_view: { group: 'list', keys: 'Alt ↑', own: true },
  join: { group: 'conversation', keys: 'a' },
  assign: { group: 'conversation', keys: 't' },
  status: { group: 'conversation', keys: 's' },
  priority: { group: 'conversation', keys: 'p' },
  tags: { group: 'conversation', keys: 'l' },
  snooze: { group: 'conversation', keys: 'z' },
  spam: { group: 'conversation', keys: '!' },
  macro: { group: 'conversation', keys: 'm' },
  article_link: { group: 'conversation', keys: 'b' },
  done: { group: 'conversation', keys: 'e' },
  mark_unread: { group: 'conversation', keys: 'Shift U' },
  make_ticket: { group: 'conversation', keys: 'i' },
  to_queue: { group: 'conversation' },
  give_back: { group: 'conversation' },
  copy_link: { group: 'conversation', keys: 'y' },
  summarise: { group: 'conversation' },
  draft_article: { group: 'conversation' },
  merge: { group: 'conversation', keys: 'Shift M' },
  delete: { group: 'conversation' },
  reply: { group: 'writing', keys: 'r' },
  note: { group: 'writing', keys: 'n' },
  suggest: { group: 'writing', keys: 'd' },
  bold: { group: 'writing', keys: 'Ctrl B', own: true },
  italic: { group: 'writing', keys: 'Ctrl I', own: true },
  send_chat: { group: 'writing', keys: 'Enter', own: true },
  new_line: { group: 'writing', keys: 'Shift Enter', own: true },
  send: { group: 'writing', keys: 'Ctrl Enter', own: true },
  send_and_done: { group: 'writing', keys: 'Ctrl Shift Enter', own: true },
} as const satisfies Record<string, Command>;

export type CommandId = keyof typeof COMMANDS;

/** In display order. */
export const COMMAND_IDS = Object.keys(COMMANDS) as CommandId[];

/** A command's keys and group, whether it is available or not. */
export const commandOf = (id: CommandId): Command => COMMANDS[id];

/** A choice of a command: an agent, a time. */
export interface Choice {
  key: string;
  label: string;
  hint?: string;
  isCurrent?: boolean;
  /** It opens a field, which takes keys typed too early with `takeTyped`. */
  opensField?: boolean;
  run: () => void;
}

export interface Handler {
  /** What it does here, if that is more than the command's own label. */
  label?: string;
  run?: () => void;
  /** Shown in the palette, and after its key if there is no `run`. */
  choices?: () => readonly Choice[];
  /** Shown if there are no choices, before anything is typed. */
  none?: string;
  /** A choice that can be typed instead of selected. */
  read?: (text: string) => Choice | undefined;
}

type Handlers = { [Id in CommandId]?: Handler | (() => void) | undefined };

interface Source {
  handlers: Handlers;
  /** Has priority over everything below, however late that was added. */
  isAbove: boolean;
}

const sources: Source[] = [];
const listeners = new Set<() => void>();
let version = 0;

function changed(): void {
  version += 1;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The handler of a command now: the topmost layer's, otherwise the latest. */
export function handlerOf(id: CommandId): Handler | undefined {
  const able = sources.filter(({ handlers }) => handlers[id]);
  const source = able.findLast(({ isAbove }) => isAbove) ?? able.at(-1);
  const handler = source?.handlers[id];
  return typeof handler === 'function' ? { run: handler } : handler;
}

/** Makes these commands available while the component is mounted; undefined ones aren't. */
export function useCommands(handlers: Handlers, { isAbove = false } = {}): void {
  const source = useRef<Source>({ handlers, isAbove });
  useEffect(() => {
    source.current.handlers = handlers;
    changed();
  });
  useEffect(() => {
    const own = source.current;
    sources.push(own);
    changed();
    return () => {
      sources.splice(sources.indexOf(own), 1);
      changed();
    };
  }, []);
}

/** Rerenders when the available commands or their choices change. */
export const useCommandsNow = (): number => useSyncExternalStore(subscribe, () => version);

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)) &&
  !(target instanceof HTMLInputElement && target.type === 'checkbox');

const hasLayer = (): boolean =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/**
 * The keys of an event in the form of `COMMANDS`, in lower case. Shift counts if it doesn't produce another
 * character.
 */
export function keysOf({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): string {
  const held = [
    ...(ctrlKey || metaKey ? ['ctrl'] : []),
    ...(altKey ? ['alt'] : []),
    ...(shiftKey && /^\p{L}$/u.test(key) ? ['shift'] : []),
  ];
  return [...held, key === 'Escape' ? 'esc' : key.toLowerCase()].join(' ');
}

const BY_KEYS = new Map<string, CommandId>(
  COMMAND_IDS.flatMap((id) => {
    const { keys, own } = commandOf(id);
    return keys === undefined || own ? [] : [[keys.toLowerCase(), id]];
  }),
);

/** The first keys of two-key commands: `g` of `g i`. */
const FIRST_KEYS = new Set([...BY_KEYS.keys()].flatMap((keys) => /^(\p{L}) /u.exec(keys)?.[1] ?? []));
/** A first key is forgotten after this pause. */
const SECOND_KEY_MS = 1_500;

/**
 * Reads single keys, and two-key commands as one: `g`, then `i`, is `g i`. A second key that doesn't match does
 * nothing.
 */
export function keySequence(): (event: KeyboardEvent) => string | undefined {
  let first: { key: string; at: number } | undefined;
  return (event) => {
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return undefined;
    const pressed = keysOf(event);
    const before = first && event.timeStamp - first.at < SECOND_KEY_MS ? first.key : undefined;
    first = undefined;
    if (before !== undefined) return pressed.includes(' ') ? pressed : `${before} ${pressed}`;
    if (FIRST_KEYS.has(pressed)) first = { key: pressed, at: event.timeStamp };
    return pressed;
  };
}

/**
 * Runs commands by their keys unless the agent is typing or a layer is open. The palette's own key always works.
 * @param ask shows a command's choices in the palette
 */
export function useCommandKeys(ask: (id: CommandId) => void): void {
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    const read = keySequence();
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const isOff = isWriting(event.target) || hasLayer();
      const id = isOff ? BY_KEYS.get(keysOf(event)) : BY_KEYS.get(read(event) ?? '');
      if (id === undefined || (isOff && id !== 'palette')) return;
      const handler = handlerOf(id);
      if (!handler) return;
      event.preventDefault();
      if (handler.run) handler.run();
      else if (handler.choices) latest.current(id);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
