import { type PlainKey, wordsOf } from '../../language.ts';
import type { words as english } from './languages/en.ts';

export type SettingsWord = PlainKey<typeof english>;

export const t = wordsOf({
  en: () => import('./languages/en.ts'),
  de: () => import('./languages/de.ts'),
});
