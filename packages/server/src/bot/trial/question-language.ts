import { LANGUAGES, type Language } from '@foyer/protocol/values/languages';
import { knownLanguageOf } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';

/** Scripts that say which language it is, of those that the bot speaks; Japanese mixes two. */
const SCRIPTS: readonly (readonly [RegExp, Language])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Cyrillic}/u, 'uk'],
];

/**
 * The language of a question, as far as its script or its small words tell; else `otherwise`. In a chat the widget says
 * what its visitor speaks.
 */
export function questionLanguage(question: string, otherwise: Language): Language {
  const byScript = SCRIPTS.find(([script]) => script.test(question));
  if (byScript) return byScript[1];
  const known = knownLanguageOf(wordsOf(question));
  return LANGUAGES.find((spoken) => spoken === known) ?? otherwise;
}
