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

/** Where this browser remembers what was spoken last: the sign-in page cannot ask the server. */
const REMEMBERED = 'foyer.language';

type Values<P, V> = [Gaps<P>] extends [never] ? [] : [values: Readonly<Record<Gaps<P>, V>>];

/** The keys of what has no gaps: for what is named before it is said, such as the entries of a menu. */
export type PlainKey<English extends Phrases> = {
  [K in keyof English]: [Gaps<English[K]>] extends [never] ? K : never;
}[keyof English];

/** The words of one folder. Only while rendering, and for what happens later: not while a module loads. */
interface Words<English extends Phrases> {
  /** `t('too_long', { count: 2 })`: `count` chooses the plural's form. */
  <K extends keyof English>(key: K, ...values: Values<English[K], string | number>): string;
  /** The same with elements in its gaps. */
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

/** What the browser prefers of what the desk speaks. */
export function preferredLanguage(): DeskLanguage {
  const found = chooseLanguage(wantedTags(), DESK_LANGUAGES, 'en');
  return isSpoken(found) ? found : 'en';
}

/** The server takes no more. */
const LANGUAGES_MAX = 20;

/** What a new site begins with: this browser's languages and its time zone. */
export const browserRegion = (): { languages: string[]; time_zone: string } => ({
  languages: wantedTags().slice(0, LANGUAGES_MAX),
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

/** Some browsers name what Intl refuses, such as `en-US@posix`. */
function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** With the reader's region where the browser names one: `en-GB` writes dates in another way than `en`. */
const withRegion = (wanted: DeskLanguage): string =>
  wantedTags().find((tag) => tag.split('-')[0] === wanted && isLocale(tag)) ?? wanted;

const remembered = store.getItem(REMEMBERED);
let spoken: DeskLanguage = isSpoken(remembered) ? remembered : preferredLanguage();
let spokenLocale = withRegion(spoken);
let grammar = grammarOf(spokenLocale);
const tables = new Set<(wanted: DeskLanguage) => Promise<void>>();
const listeners = new Set<() => void>();

/** What is spoken now. */
export const language = (): DeskLanguage => spoken;

/** What is spoken now, for Intl: with the reader's region. */
export const locale = (): string => spokenLocale;

/** A number with the separators of the agent's language. */
export const formatNumber = (number: number): string => grammar.numbers.format(number);

/** `a, b and c` */
export const formatList = (items: readonly string[]): string => new Intl.ListFormat(locale()).format(items);

/** Renders the component again when another language is spoken; every screen has it from the router. */
export const useLanguage = (): DeskLanguage => useSyncExternalStore(subscribe, language);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The words of a folder's components. The file of the language that is spoken begins to load with the module that asks
 * for it; a component that is rendered before it is there waits, as it would for its code.
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
  // Whoever renders without the words hears of a failure.
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

/** Waits for the words of everything whose code is there. */
export const wordsAreThere = (): Promise<unknown> =>
  Promise.allSettled([...tables].map((load) => load(spoken)));

/**
 * Speaks this language from now on, without a reload; nothing changes before all its words are there.
 * @throws when they can't be loaded
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

/** Speaks what this agent has chosen, else what the browser prefers; what can't be loaded stays as it is. */
export async function speakTo({ language: chosen }: { language: DeskLanguage | null }): Promise<void> {
  const wanted = chosen ?? preferredLanguage();
  if (wanted !== spoken) await speak(wanted).catch(() => undefined);
}

/** A worker sees no `localStorage`: where no page can be loaded, it says so in the language that it finds here. */
function keepForWorker(): void {
  // Browsers have it on secure origins alone, as they have workers.
  if (!('caches' in globalThis)) return;
  void caches
    .open('language')
    .then((cache) => cache.put('/app/language', new Response(spoken)))
    .catch(() => undefined);
}

/** Tells the browser, and with it those who listen to the page, how to read it; and what the installed desk is called. */
export function declareLanguage(): void {
  if (typeof document === 'undefined') return;
  document.documentElement.lang = spoken;
  document.querySelector('link[rel=manifest]')?.setAttribute('href', `/app/manifest.${spoken}.webmanifest`);
  keepForWorker();
}
