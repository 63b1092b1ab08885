import { LANGUAGES, type Language } from '@foyer/protocol/values/languages';
import { isFunctionWord, type Language as Known, knownLanguageOf } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';

/** Scripts that identify one of the bot's languages; Japanese mixes two. */
const SCRIPTS: readonly (readonly [RegExp, Language])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Cyrillic}/u, 'uk'],
];

/**
 * The language of a question, as far as its script or its function words reveal it; else `otherwise`. In a chat the
 * widget reports the visitor's language.
 */
export function questionLanguage(question: string, otherwise: Language): Language {
  const byScript = SCRIPTS.find(([script]) => script.test(question));
  if (byScript) return byScript[1];
  const known = knownLanguageOf(wordsOf(question));
  return LANGUAGES.find((spoken) => spoken === known) ?? otherwise;
}

const POLISH = /[łąęśż]/iu;
/** To switch the language, a question must have this many more function words of another one than of the visitor's. */
const SMALL_WORDS_MORE = 2;
/** And these must be this share of its words: "to" and "do" are words of many languages. */
const SMALL_WORDS_SHARE = 0.4;

/**
 * As `questionLanguage`, for a visitor whose language the widget has reported: some write another language than they
 * have set, but a word that two languages share changes nothing.
 */
export function visitorLanguage(question: string, spoken: Language): Language {
  if (POLISH.test(question)) return 'pl';
  const found = questionLanguage(question, spoken);
  if (found === spoken || SCRIPTS.some(([, language]) => language === found)) return found;
  const words = wordsOf(question);
  const smallWordsOf = (language: Language): number =>
    words.filter((word) => isKnown(language) && isFunctionWord(word, [language])).length;
  const count = smallWordsOf(found);
  const isSure =
    count >= smallWordsOf(spoken) + SMALL_WORDS_MORE && count >= words.length * SMALL_WORDS_SHARE;
  return isSure ? found : spoken;
}

const isKnown = (language: Language): language is Language & Known =>
  LANGUAGES.includes(language) && language !== 'pl' && language !== 'uk';
