import { play } from '@foyer/protocol/browser/chime';

export { unlockSound } from '@foyer/protocol/browser/chime';

/** Two soft notes, a fifth apart. */
export const chime = (): void =>
  play({ notesHz: [659.25, 987.77], gapSeconds: 0.13, noteSeconds: 0.5, loudness: 0.12 });
