import type { Scalar, SdkAttributes } from '@foyer/protocol';
import { ATTRIBUTE_BYTES, PROPERTIES_BYTES } from '@foyer/protocol/values/bounds';
import { begin, control, describeVisitor, launcher, updateChat } from './chat.ts';
import type { ChatCommand } from './chat-parts.ts';
import { dropHeld, hasBegun, later } from './consent.ts';
import { type Handler, on } from './events.ts';
import { guard, isObject, warn } from './guard.ts';
import { forgetVisitor, keepVisitor, mergeVisitor, RESET, storeEvent, VISITOR } from './identity.ts';
import { bytesOf, toJson } from './json.ts';
import { outbox } from './sending.ts';
import { options } from './settings.ts';
import { read, write } from './store.ts';

export let isBooted = false;

const identify = (given: unknown) => {
  if (!isObject(given)) return warn('bad identify');
  const { userHash, ...rest } = given;
  if (userHash) options.userHash = `${userHash}`;
  const attributes: SdkAttributes = {};
  for (const [name, value] of Object.entries(rest)) {
    const plain = value instanceof Date ? value.toISOString() : value;
    // The server would reject the other attributes with it.
    if (Object(plain) === plain || bytesOf(plain) > ATTRIBUTE_BYTES) warn(`bad attribute ${name}`);
    else if (plain !== undefined) attributes[name] = plain as Scalar;
  }
  const [before, key, changed] = mergeVisitor(attributes);
  outbox.identify(before, key, changed, options.userHash);
  updateChat(key === before ? undefined : before);
};

const track = (given: unknown, properties: unknown = {}) => {
  const name = `${given ?? ''}`.trim();
  if (!name) return warn('bad track');
  const isFine = isObject(properties) && bytesOf(properties) <= PROPERTIES_BYTES;
  if (!isFine) warn(`bad properties of ${name}`);
  const key = keepVisitor();
  outbox.track(key, storeEvent(name, isFine ? JSON.parse(toJson(properties)) : {}), options.userHash);
};

/** The visitor has signed out, here or in another tab: the chat forgets them too. */
export const forgetHere = (wasKept?: unknown): void => {
  delete options.userHash;
  dropHeld();
  const { key } = describeVisitor();
  if (!hasBegun && !wasKept) return;
  // This page may close before the chat learns of it. Then the next page with the chat reports it.
  if (options.site && !(hasBegun && launcher?.reset(key))) write(RESET, true);
};

const commands: Record<string, (first?: unknown, second?: unknown) => void> = {
  boot(given) {
    if (isBooted) return warn('booted already');
    isBooted = true;
    Object.assign(options, given);
    begin();
    launcher?.paint();
  },
  identify: later(identify),
  update: later(identify),
  track: later(track),
  reset() {
    const wasKept = read(VISITOR);
    outbox.flush();
    forgetVisitor();
    outbox.flush();
    forgetHere(wasKept);
  },
  on(event, handler) {
    if (typeof handler !== 'function') return warn('bad on');
    on(event, handler as Handler);
    if (event === 'ready' && hasBegun) handler();
  },
};

const isChatCommand = (name: string): name is ChatCommand => /^(show|hide|open|close)$/.test(name);

/** Runs one call of `svc`: its name and arguments. */
export const run = guard((args: ArrayLike<unknown>) => {
  const name = `${args[0]}`;
  if (Object.hasOwn(commands, name)) commands[name]?.(args[1], args[2]);
  else if (isChatCommand(name)) control(name);
  else warn(`unknown command ${name}`);
});
