import { chooseLanguage, DESK_LANGUAGES, type DeskLanguage } from '@foyer/protocol/values/languages';
import {
  fill,
  type Gaps,
  grammarOf,
  type Phrase,
  type Phrases,
  type Translated,
} from '@foyer/protocol/values/phrases';
import { createElement, Fragment, type ReactNode, use, useSyncExternalStore } from 'react';
import { store } from './storage.ts';

/** Remembers the last language in this browser: the sign-in page can't ask the server. */
const REMEMBERED = 'foyer.language';

type Values<P, V> = [Gaps<P>] extends [never] ? [] : [values: Readonly<Record<Gaps<P>, V>>];

/**
 * The keys of phrases without placeholders, for names that are chosen before they are shown, such as menu entries.
 */
export type PlainKey<English extends Phrases> = {
  [K in keyof English]: [Gaps<English[K]>] extends [never] ? K : never;
}[keyof English];

/**
 * The phrases of one folder, for rendering, which waits for them, and for what follows it. Other code awaits
 * `wordsAreThere` first: outside of rendering, phrases that haven't loaded throw. Never call it while a module loads.
 */
interface Words<English extends Phrases> {
  /** `t('too_long', { count: 2 })`: `count` selects the plural form. */
  <K extends keyof English>(key: K, ...values: Values<English[K], string | number>): string;
  /** The same with elements as values. */
  rich<K extends keyof English>(key: K, ...values: Values<English[K], ReactNode>): ReactNode;
}

type Table<English> = Readonly<Record<keyof English, Phrase>>;

interface Files<English extends Phrases> {
  en: () => Promise<{ words: English }>;
  de: () => Promise<{ words: Translated<English> }>;
}

const isSpoken = (value: string | null): value is DeskLanguage =>
  DESK_LANGUAGES.some((known) => known === value);

const wantedTags = (): readonly string[] => (typeof navigator === 'undefined' ? [] : navigator.languages);

/** The browser's preferred language among the desk's. */
export function preferredLanguage(): DeskLanguage {
  const found = chooseLanguage(wantedTags(), DESK_LANGUAGES, 'en');
  return isSpoken(found) ? found : 'en';
}

/** The server's limit. */
const LANGUAGES_MAX = 20;

/** Defaults for a new site: this browser's languages and time zone. */
export const browserRegion = (): { languages: string[]; time_zone: string } => ({
  languages: wantedTags().slice(0, LANGUAGES_MAX),
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** Some browsers report tags that Intl refuses, such as `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** With the reader's region, if the browser has one: `en-GB` formats dates differently than `en`. */
const withRegion = (wanted: DeskLanguage): string =>
  wantedTags().find((tag) => tag.split('-')[0] === wanted && isLocale(tag)) ?? wanted;

const remembered = store.getItem(REMEMBERED);
let spoken: DeskLanguage = isSpoken(remembered) ? remembered : preferredLanguage();
let spokenLocale = withRegion(spoken);
let grammar = grammarOf(spokenLocale);
const tables = new Set<(wanted: DeskLanguage) => Promise<void>>();
const listeners = new Set<() => void>();

/** The current language. */
export const language = (): DeskLanguage => spoken;

/** The current locale for Intl, with the reader's region. */
export const locale = (): string => spokenLocale;

/** A number with the separators of the agent's language. */
export const formatNumber = (number: number): string => grammar.numbers.format(number);

/** `a, b and c` */
export const formatList = (items: readonly string[]): string => new Intl.ListFormat(locale()).format(items);

/** Rerenders the component when the language changes. Every screen gets it from the router. */
export const useLanguage = (): DeskLanguage => useSyncExternalStore(subscribe, language);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The phrases for a folder's components. The current language's file starts loading with the module; a component
 * rendered earlier waits for it, as for its code.
 */
export function wordsOf<English extends Phrases>(files: Files<English>): Words<English> {
  const loaded = new Map<DeskLanguage, Table<English>>();
  const loading = new Map<DeskLanguage, Promise<void>>();
  const load = (wanted: DeskLanguage): Promise<void> => {
    const begun = loading.get(wanted);
    if (begun) return begun;
    const asked: Promise<{ words: Table<English> }> = files[wanted]();
    const done = asked.then(({ words }) => void loaded.set(wanted, words));
    loading.set(wanted, done);
    return done;
  };
  tables.add(load);
  // A failure is thrown again when a component renders without the phrases.
  load(spoken).catch(() => undefined);

  const pieces = <V>(
    key: keyof English,
    [values]: readonly [Readonly<Record<string, V>>?],
  ): (string | V)[] => {
    const words = loaded.get(spoken);
    if (!words) use(load(spoken));
    return fill(words?.[key] ?? '', values ?? {}, grammar);
  };
  return Object.assign(
    <K extends keyof English>(key: K, ...values: Values<English[K], string | number>) =>
      pieces<string | number>(key, values).join(''),
    {
      rich: <K extends keyof English>(key: K, ...values: Values<English[K], ReactNode>) =>
        createElement(Fragment, null, ...pieces<ReactNode>(key, values)),
    },
  );
}

/** Waits for the phrases of all loaded code. */
export const wordsAreThere = (): Promise<unknown> =>
  Promise.allSettled([...tables].map((load) => load(spoken)));

/**
 * Switches the language without a reload; nothing changes before all phrases are loaded.
 * @throws if they can't be loaded
 */
export async function speak(next: DeskLanguage): Promise<void> {
  await Promise.all([...tables].map((load) => load(next)));
  spoken = next;
  spokenLocale = withRegion(next);
  grammar = grammarOf(spokenLocale);
  store.setItem(REMEMBERED, next);
  declareLanguage();
  for (const listener of listeners) listener();
}

/**
 * Switches to the agent's language, or else the browser's preferred one. If it can't be loaded, nothing changes.
 */
export async function speakTo({ language: chosen }: { language: DeskLanguage | null }): Promise<void> {
  const wanted = chosen ?? preferredLanguage();
  if (wanted !== spoken) await speak(wanted).catch(() => undefined);
}

/** A service worker can't read `localStorage`: its offline page uses the language stored here. */
function keepForWorker(): void {
  // Only available on secure origins, like service workers.
  if (!('caches' in globalThis)) return;
  void caches
    .open('language')
    .then((cache) => cache.put('/app/language', new Response(spoken)))
    .catch(() => undefined);
}

/** Tells the browser, and so screen readers, the language; and names the installed desk. */
export function declareLanguage(): void {
  if (typeof document === 'undefined') return;
  document.documentElement.lang = spoken;
  document.querySelector('link[rel=manifest]')?.setAttribute('href', `/app/manifest.${spoken}.webmanifest`);
  keepForWorker();
}
