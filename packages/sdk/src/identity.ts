import type { SdkAttributes } from '@foyer/protocol';
import { isObject } from './guard.ts';
import type { Store } from './store.ts';

export const VISITOR = 'svc.visitor';
export const EVENTS = 'svc.events';
/** What the widget can't keep in a frame where its own storage is blocked. */
export const KEPT = 'svc.widget';
/** Interface, "Limits". */
export const STORED_EVENTS = 50;
const ANONYMOUS = 'anon_';

export interface StoredVisitor {
  key: string;
  attributes: SdkAttributes;
}

export interface StoredEvent {
  name: string;
  properties: Record<string, unknown>;
  occurred_utc: string;
  id: string;
}

export const isAnonymous = (key: string): boolean => key.startsWith(ANONYMOUS);

/** 128 random bits; `randomUUID` is missing on pages without https. */
export const randomHex = (): string => {
  let hex = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) hex += (256 + byte).toString(16).slice(1);
  return hex;
};

const isVisitor = (value: unknown): value is StoredVisitor =>
  isObject(value) && typeof value.key === 'string' && isObject(value.attributes);

/** Who this browser's visitor is; an anonymous one is made, and kept, when there is none. */
export const readVisitor = (store: Store): StoredVisitor => {
  let visitor = store.read(VISITOR);
  if (!isVisitor(visitor)) {
    visitor = { key: ANONYMOUS + randomHex(), attributes: {} };
    store.write(VISITOR, visitor);
  }
  return visitor as StoredVisitor;
};

/** Log-out: who it was, what they did and their chats. */
export const forgetVisitor = (store: Store): void => {
  for (const name of [VISITOR, EVENTS, KEPT]) store.write(name, undefined);
};

/**
 * Merges attributes into the stored visitor; `user_id` becomes the key, and null clears an attribute.
 * @returns the key before, the key now, and what has to be sent.
 */
export const mergeVisitor = (
  store: Store,
  given: SdkAttributes,
): [before: string, key: string, changed: SdkAttributes] => {
  let { key: before, attributes } = readVisitor(store);
  const key = `${given.user_id ?? ''}`.trim() || before;
  let changed = given;
  if (key !== before) {
    // What was learnt of the anonymous visitor holds for the known one; but when somebody else signs in
    // without a reset, nothing of the other person may stick to them.
    if (isAnonymous(before)) changed = { ...attributes, ...given };
    else {
      forgetVisitor(store);
      attributes = {};
    }
  }
  const merged: SdkAttributes = {};
  for (const [name, value] of Object.entries({ ...attributes, ...given })) {
    if (value !== null) merged[name] = value;
  }
  store.write(VISITOR, { key, attributes: merged });
  return [before, key, changed];
};

export const storeEvent = (
  store: Store,
  name: string,
  properties: StoredEvent['properties'],
): StoredEvent => {
  const event = { name, properties, occurred_utc: new Date().toISOString(), id: randomHex() };
  const earlier = store.read(EVENTS);
  store.write(EVENTS, [...(Array.isArray(earlier) ? earlier : []), event].slice(-STORED_EVENTS));
  return event;
};
