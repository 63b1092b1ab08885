import { readFile } from 'node:fs/promises';
import { chooseLanguage, type Language, type LauncherWords } from '@foyer/protocol';
import { packageFile } from '../base/package-files.ts';

/** Written by the widget's build from its phrase tables. */
const WORDS = packageFile('../widget/dist/launcher-words.json');
/** How many of a browser's preferred languages are considered. */
const WANTED_MAX = 10;

let tables: Promise<Partial<Record<Language, LauncherWords>>> | undefined;

/**
 * The launcher's words, in the language that the widget would choose for this visitor.
 * @param locale the language that the page passed to the SDK
 * @param accepted the browser's Accept-Language, most preferred first
 * @returns undefined if the widget wasn't built
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
