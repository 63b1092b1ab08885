import type { LauncherWords } from '@foyer/protocol';

/** What the launcher says: the build writes these of each table down for the server, which tells them to it. */
export const LAUNCHER_KEYS = ['chat', 'open', 'close'] as const satisfies (keyof LauncherWords)[];
