import type { chatEvents } from './en.ts';

/** The same keys in every language. */
export type ChatEvents = Record<keyof typeof chatEvents, string>;
