import type { SdkAttributes } from '@foyer/protocol';
import { randomHex } from '@foyer/protocol/browser/ids';
import { VISITOR_KEY_MAX } from '@foyer/protocol/values/bounds';
import { isObject, warn } from './guard.ts';
import { names, read, write } from './store.ts';

export const VISITOR = 'svc.visitor';
const EVENTS = 'svc.events';
/** For what the widget can't store itself in a frame whose storage is blocked. */
export const KEPT = 'svc.widget';
export const OUTBOX = 'svc.outbox.';
/** A log-out that the widget, which has its own storage, has not processed yet. */
export const RESET = 'svc.reset';
/** docs/contract/interface.md, "Limits". */
const STORED_EVENTS = 50;
const ANONYMOUS = 'anon_';

interface StoredVisitor {
  key: string;
  attributes: SdkAttributes;
}

export interface StoredEvent {
  name: string;
  properties: unknown;
  occurred_utc: string;
  id: string;
}

/** The anonymous visitor of this page until something is worth storing. */
let fresh: StoredVisitor | undefined;

/** Whether Foyer has created the key, because the page gave no `user_id`. */
export const isAnonymous = (key: string): boolean => key.startsWith(ANONYMOUS);

/** 32 hex digits that sort by creation time, so that the outbox sends in order. */
export const newId = (): string => `0${Date.now().toString(16)}${randomHex(10)}`;

/** Whether the server accepts the key. With any other it would refuse everything the page sends. */
const isKey = (key: unknown): boolean =>
  typeof key === 'string' && !!key.trim() && key.length <= VISITOR_KEY_MAX && !/\0|\p{Cs}/u.test(key);

const isVisitor = (stored: unknown): stored is StoredVisitor =>
  isObject(stored) &&
  isKey(stored.key) &&
  isObject(stored.attributes) &&
  !Array.isArray(stored.attributes) &&
  Object.values(stored.attributes).every((value) => !isObject(value));

/** The stored visitor. If there is none, an anonymous one that isn't stored yet. */
export const readVisitor = (): StoredVisitor => {
  const visitor = read(VISITOR);
  // The page's other scripts can write there too. Anything that isn't a visitor is ignored.
  if (isVisitor(visitor)) return visitor;
  fresh ??= { key: ANONYMOUS + randomHex(16), attributes: {} };
  return fresh;
};

/** Stores the visitor, who has opened the chat or done something, so that later pages find them. Returns the key. */
export const keepVisitor = (): string => {
  const visitor = readVisitor();
  write(VISITOR, visitor);
  return visitor.key;
};

/**
 * Forgets the anonymous visitor that isn't stored yet; the next `readVisitor` creates another unless one is stored.
 */
export const forgetFresh = (): void => {
  fresh = undefined;
};

/** Log-out: removes everything from the device. Unsent items stay in this page's memory, which sends them. */
export const forgetVisitor = (): void => {
  forgetFresh();
  for (const name of names()) {
    if (name.startsWith(OUTBOX)) write(name, { ...(read(name) as object), at: 0 }, true);
    else write(name);
  }
};

/**
 * Merges attributes into the stored visitor; `user_id` becomes the key, and null clears an attribute.
 * @returns the key before, the key now, and the attributes to send.
 */
export const mergeVisitor = (given: SdkAttributes): [before: string, key: string, changed: SdkAttributes] => {
  let { key: before, attributes } = readVisitor();
  let key = `${given.user_id ?? ''}`.trim() || before;
  if (!isKey(key)) {
    warn('bad user_id');
    key = before;
  }
  let changed = given;
  if (key !== before) {
    // The anonymous visitor's attributes apply to the known one too. But if somebody else signs in without a reset,
    // nothing of the previous person may remain.
    if (isAnonymous(before)) changed = { ...attributes, ...given };
    else {
      forgetVisitor();
      attributes = {};
    }
  }
  const merged: SdkAttributes = {};
  for (const [name, value] of Object.entries({ ...attributes, ...given })) {
    if (value !== null) merged[name] = value;
  }
  write(VISITOR, { key, attributes: merged });
  return [before, key, changed];
};

/** Keeps the newest 50 events in storage, for the page to read; sending is the outbox's work. */
export const storeEvent = (name: string, properties: unknown): StoredEvent => {
  const event = { name, properties, occurred_utc: new Date().toISOString(), id: newId() };
  const earlier = read(EVENTS);
  write(EVENTS, [...(Array.isArray(earlier) ? earlier : []), event].slice(-STORED_EVENTS));
  return event;
};
