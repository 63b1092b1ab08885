import { wordsOf } from '../../language.ts';

export const t = wordsOf({
  en: () => import('./languages/en.ts'),
  de: () => import('./languages/de.ts'),
});
