import { guard } from './guard.ts';

const handlers: [event: unknown, handle: (detail?: unknown) => void][] = [];

export const on = (event: unknown, handle: (detail?: unknown) => void): void => {
  handlers.push([event, guard(handle)]);
};

/** What one handler throws does not reach the others, nor the page. */
export const emit = (event: string, detail?: unknown): void => {
  for (const [name, handle] of handlers) if (name === event) handle(detail);
};
