import { play, unlockSound } from '@foyer/protocol/browser/chime';

// Loaded on the first interaction with the chat.
unlockSound();

/** Two soft notes, a fourth apart. */
export const chime = () =>
  play({ notesHz: [783.99, 1046.5], gapSeconds: 0.12, noteSeconds: 0.4, loudness: 0.1 });
