/** What the widget speaks, by BCP 47. Chinese is written in its simplified form. */
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

/** What the dashboard speaks. */
export const DESK_LANGUAGES = ['en', 'de'] as const satisfies readonly Language[];
export type DeskLanguage = (typeof DESK_LANGUAGES)[number];

const RIGHT_TO_LEFT: readonly Language[] = ['ar', 'he'];

export const isRightToLeft = (language: Language): boolean => RIGHT_TO_LEFT.includes(language);

/** Browsers of long ago still say `iw`. */
const FORMER_NAMES: Readonly<Record<string, Language>> = { iw: 'he' };

/**
 * The first language that is wanted and spoken.
 * @param wanted tags such as `de-AT`, best first
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
