import { readFile } from 'node:fs/promises';
import { chooseLanguage, type Language, type LauncherWords } from '@foyer/protocol';

/** Written by the widget's build, from its tables. */
const WORDS = new URL('../../../widget/dist/launcher-words.json', import.meta.url);
/** Of what a browser asks for, so many languages count. */
const WANTED_MAX = 10;

let tables: Promise<Partial<Record<Language, LauncherWords>>> | undefined;

/**
 * What the launcher says, in a visitor's language as the widget would choose it.
 * @param locale what the page has told the SDK
 * @param accepted the browser's Accept-Language, best first
 * @returns undefined where the widget was not built
 */
export async function launcherWords(
  site: { languages: readonly Language[]; language: Language },
  locale: string,
  accepted: string,
): Promise<LauncherWords | undefined> {
  tables ??= readFile(WORDS, 'utf8').then(JSON.parse, () => ({}));
  const wanted = accepted.split(',', WANTED_MAX).map((tag) => tag.split(';', 1)[0]?.trim() ?? '');
  return (await tables)[chooseLanguage([locale, ...wanted], site.languages, site.language)];
}
