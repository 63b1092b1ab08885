import type { LauncherWords } from '@foyer/protocol';

/**
 * The launcher's words: the build extracts them from each table for the server, which sends them to the launcher.
 */
export const LAUNCHER_KEYS = ['chat', 'open', 'close'] as const satisfies (keyof LauncherWords)[];
