import { emit } from './events.ts';
import { guard } from './guard.ts';
import { HELD_MAX } from './limits.ts';

/** The SDK may store and send: the page called `boot`, the site asks for no consent, or a chat was opened. */
export let hasBegun = false;
let held: (() => void)[] = [];

/** Runs the held calls, the first time it is called. */
export const allow = (): void => {
  if (hasBegun) return;
  hasBegun = true;
  emit('ready');
  for (const run of held) run();
  held = [];
};

/** Forgets the held calls without running them: after a log-out they belong to the previous visitor. */
export const dropHeld = (): void => {
  held = [];
};

/** Returns a command that waits until the SDK may remember the visitor. */
export const later =
  (run: (first?: unknown, second?: unknown) => void) =>
  (first?: unknown, second?: unknown): void => {
    if (hasBegun) run(first, second);
    else if (held.length < HELD_MAX) held.push(() => guard(run)(first, second));
  };
