import type { Mention } from '@foyer/protocol';

export const TABS = ['reply', 'note'] as const;
export type Tab = (typeof TABS)[number];

export interface Draft {
  reply: string;
  note: string;
  /** The agents and teams mentioned in the note. */
  mentions: readonly Mention[];
  tab: Tab;
}

/** A text with its mentions. */
export interface Written {
  text: string;
  mentions: readonly Mention[];
}

/** The relation of a place's text to the server's. */
export interface Standing {
  /** The version of the server's draft that the text is based on; null: there was none. */
  version: number | null;
  /** It was changed here, and the server doesn't have it yet. */
  isUnsaved: boolean;
  /** It was sent with an unknown result: the server may have it. */
  sent?: Written;
}

export interface Held {
  draft: Draft;
  reply: Standing;
  note: Standing;
}

const EMPTY: Draft = { reply: '', note: '', mentions: [], tab: 'reply' };
const NEW: Standing = { version: null, isUnsaved: false };
export const NOTHING: Held = { draft: EMPTY, reply: NEW, note: NEW };

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isMention = (value: unknown): value is Mention =>
  isObject(value) && typeof value.id === 'number' && typeof value.name === 'string';
const areMentions = (value: unknown): value is Mention[] => Array.isArray(value) && value.every(isMention);
const isWritten = (value: unknown): value is Written =>
  isObject(value) && typeof value.text === 'string' && areMentions(value.mentions);
const isStanding = (value: unknown): value is Standing =>
  isObject(value) &&
  (value.version === null || typeof value.version === 'number') &&
  typeof value.isUnsaved === 'boolean' &&
  (value.sent === undefined || isWritten(value.sent));
const isDraft = (value: unknown): value is Draft =>
  isObject(value) &&
  typeof value.reply === 'string' &&
  typeof value.note === 'string' &&
  areMentions(value.mentions) &&
  (value.tab === 'reply' || value.tab === 'note');
/** Whether a stored value has the right form. */
export const isHeld = (value: unknown): value is Held =>
  isObject(value) && isDraft(value.draft) && isStanding(value.reply) && isStanding(value.note);

/** Whether two mentions are of the same agent or team. */
export const isSame = (one: Mention, other: Mention): boolean =>
  one.id === other.id && one.kind === other.kind;

/** The mentions whose names are still in the text. */
export const mentionsIn = (draft: Draft, tab: Tab): Mention[] =>
  tab === 'note' ? draft.mentions.filter(({ name }) => draft.note.includes(`@${name}`)) : [];
