import { readFile } from 'node:fs/promises';
import { type BubbleWords, chooseLanguage, type Language, type LauncherWords } from '@foyer/protocol';
import { packageFile } from '../base/package-files.ts';

/** How many of a browser's preferred languages are considered. */
const WANTED_MAX = 10;

type Tables<Words> = Partial<Record<Language, Words>>;

/** A file that the widget's build writes from its phrase tables; read once, when it is needed. */
const written = <Words>(name: string): (() => Promise<Tables<Words>>) => {
  let tables: Promise<Tables<Words>> | undefined;
  return () => {
    tables ??= readFile(packageFile(`../widget/dist/${name}`), 'utf8').then(JSON.parse, () => ({}));
    return tables;
  };
};

const launcherTables = written<LauncherWords>('launcher-words.json');
const bubbleTables = written<BubbleWords>('bubble-words.json');

/**
 * The languages that a visitor wants, most preferred first, as the widget considers them.
 * @param locale the language that the page passed to the SDK
 * @param accepted the browser's Accept-Language, most preferred first
 */
export const wantedLanguages = (locale: string, accepted: string): string[] => [
  locale,
  ...accepted.split(',', WANTED_MAX).map((tag) => tag.split(';', 1)[0]?.trim() ?? ''),
];

/**
 * The launcher's words, in the language that the widget would choose for this visitor.
 * @param wanted see `wantedLanguages`
 * @returns undefined if the widget wasn't built
 */
export async function launcherWords(
  site: { languages: readonly Language[]; language: Language },
  wanted: readonly string[],
): Promise<LauncherWords | undefined> {
  return (await launcherTables())[chooseLanguage(wanted, site.languages, site.language)];
}

/** The words of a bubble in this language. @returns undefined if the widget wasn't built */
export const bubbleWords = async (language: Language): Promise<BubbleWords | undefined> =>
  (await bubbleTables())[language];
