import type { BubbleWords, LauncherWords } from '@foyer/protocol';

/**
 * The launcher's words: the build extracts them from each table for the server, which sends them to the launcher.
 */
export const LAUNCHER_KEYS = ['chat', 'open', 'close'] as const satisfies (keyof LauncherWords)[];

/** The words of the bubble of a proactive message, which is shown before the chat is loaded too. */
export const BUBBLE_KEYS = ['bot', 'not_now', 'placeholder', 'send'] as const satisfies (keyof BubbleWords)[];
