import { chooseLanguage, type Language } from '@foyer/protocol/values/languages';
import { declareLanguage, loadWords, speak } from './strings.ts';

const AGAIN_AFTER_MS = 3_000;

interface Site {
  /** The site's languages, once known. */
  languages?: readonly Language[];
  language?: Language;
}

/** The words of one language, chosen by the page's `locale`, then the browser, then the site. */
export const createSpeech = (root: HTMLElement, onChange: () => void) => {
  let locale: string | undefined;
  let site: Site = {};
  let asked: Language | undefined;
  let isReady = false;

  const choose = async (): Promise<void> => {
    const wanted = locale ? [locale, ...navigator.languages] : navigator.languages;
    const next = chooseLanguage(wanted, site.languages ?? [], site.language ?? 'en');
    if (next === asked) return;
    asked = next;
    try {
      const spoken = await loadWords(next);
      // Another language was chosen meanwhile.
      if (asked !== next) return;
      speak(spoken);
    } catch {
      asked = undefined;
      setTimeout(choose, AGAIN_AFTER_MS);
      return;
    }
    declareLanguage(root);
    isReady = true;
    onChange();
  };
  void choose();
  return {
    /** False until the first words are loaded. */
    isReady: () => isReady,
    setLocale(next: string | undefined) {
      locale = next;
      void choose();
    },
    setSite(next: Site) {
      site = next;
      void choose();
    },
  };
};
