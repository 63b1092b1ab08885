/** The widget's languages, as BCP 47 tags. Chinese is simplified. */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'tr',
  'uk',
  'ja',
  'zh',
  'ar',
  'he',
] as const;
export type Language = (typeof LANGUAGES)[number];

/** The desk's languages. */
export const DESK_LANGUAGES = ['en', 'de'] as const satisfies readonly Language[];
export type DeskLanguage = (typeof DESK_LANGUAGES)[number];

const RIGHT_TO_LEFT: readonly Language[] = ['ar', 'he'];

export const isRightToLeft = (language: Language): boolean => RIGHT_TO_LEFT.includes(language);

/** Old browsers still send `iw`. */
const FORMER_NAMES: Readonly<Record<string, Language>> = { iw: 'he' };

/**
 * The first preferred language that is available.
 * @param wanted tags such as `de-AT`, most preferred first
 * @param spoken empty: all
 */
export const chooseLanguage = (
  wanted: readonly string[],
  spoken: readonly Language[],
  otherwise: Language,
): Language => {
  const offered: readonly Language[] = spoken.length > 0 ? spoken : LANGUAGES;
  for (const tag of wanted) {
    const name = tag.toLowerCase().split(/[-_]/)[0] ?? '';
    const found = offered.find((language) => language === (FORMER_NAMES[name] ?? name));
    if (found) return found;
  }
  return offered.includes(otherwise) ? otherwise : (offered[0] ?? otherwise);
};
