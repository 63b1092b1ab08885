import type { SdkAttributes } from '@foyer/protocol';
import { randomHex } from '@foyer/protocol/browser/ids';
import { VISITOR_KEY_MAX } from '@foyer/protocol/values/bounds';
import { isObject, warn } from './guard.ts';
import { names, read, write } from './store.ts';

export const VISITOR = 'svc.visitor';
const EVENTS = 'svc.events';
/** What the widget can't keep in a frame where its own storage is blocked. */
export const KEPT = 'svc.widget';
export const OUTBOX = 'svc.outbox.';
/** A log-out that the widget, which keeps things of its own, has not heard of yet. */
export const RESET = 'svc.reset';
/** Interface, "Limits". */
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

/** Who it is until something is worth keeping. */
let fresh: StoredVisitor | undefined;

export const isAnonymous = (key: string): boolean => key.startsWith(ANONYMOUS);

/** 32 digits of hex that sort by when they were made: what waits under them is sent in order. */
export const newId = (): string => `0${Date.now().toString(16)}${randomHex(10)}`;

/** A key that the server takes: with any other it would refuse everything the page sends. */
const isKey = (key: unknown): boolean =>
  typeof key === 'string' && !!key.trim() && key.length <= VISITOR_KEY_MAX && !/\0|\p{Cs}/u.test(key);

const isVisitor = (stored: unknown): stored is StoredVisitor =>
  isObject(stored) &&
  isKey(stored.key) &&
  isObject(stored.attributes) &&
  !Array.isArray(stored.attributes) &&
  Object.values(stored.attributes).every((value) => !isObject(value));

/** Who this browser's visitor is. An anonymous one is made when there is none, and not kept yet. */
export const readVisitor = (): StoredVisitor => {
  const visitor = read(VISITOR);
  // Anything may have written there; what we did not write counts as nothing.
  if (isVisitor(visitor)) return visitor;
  fresh ??= { key: ANONYMOUS + randomHex(16), attributes: {} };
  return fresh;
};

/** The visitor has opened the chat or done something: later pages must find the same visitor. */
export const keepVisitor = (): string => {
  const visitor = readVisitor();
  write(VISITOR, visitor);
  return visitor.key;
};

export const forgetFresh = (): void => {
  fresh = undefined;
};

/** Log-out: nothing stays on the device. What waits to be sent is known to this page alone from now on, which sends it. */
export const forgetVisitor = (): void => {
  forgetFresh();
  for (const name of names()) {
    if (name.startsWith(OUTBOX)) write(name, { ...(read(name) as object), at: 0 }, true);
    else write(name);
  }
};

/**
 * Merges attributes into the stored visitor; `user_id` becomes the key, and null clears an attribute.
 * @returns the key before, the key now, and what has to be sent.
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
    // What was learnt of the anonymous visitor holds for the known one; but when somebody else signs in
    // without a reset, nothing of the other person may stick to them.
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

export const storeEvent = (name: string, properties: unknown): StoredEvent => {
  const event = { name, properties, occurred_utc: new Date().toISOString(), id: newId() };
  const earlier = read(EVENTS);
  write(EVENTS, [...(Array.isArray(earlier) ? earlier : []), event].slice(-STORED_EVENTS));
  return event;
};
