import { type PlainKey, wordsOf } from './language.ts';
import type { words as english } from './languages/en.ts';

export type CommonWord = PlainKey<typeof english>;

/** The phrases that every page needs. Each folder of screens has its own in its `t.ts`. */
export const tCommon = wordsOf({
  en: () => import('./languages/en.ts'),
  de: () => import('./languages/de.ts'),
});
