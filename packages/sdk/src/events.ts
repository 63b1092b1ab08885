import { guard } from './guard.ts';

export type Handler = (detail?: unknown) => void;

const handlers: [event: unknown, handle: Handler][] = [];

/** Handlers run in the order in which they were added, cannot be removed, and may be added more than once. */
export const on = (event: unknown, handle: Handler): void => {
  handlers.push([event, guard(handle)]);
};

/** Calls the event's handlers. What one throws reaches neither the others nor the page. */
export const emit = (event: string, detail?: unknown): void => {
  for (const [name, handle] of handlers) if (name === event) handle(detail);
};
