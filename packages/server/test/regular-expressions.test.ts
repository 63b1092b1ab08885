import { check } from 'recheck';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { productPatterns } from './product-patterns.ts';

// Foyer serves all its sites from one thread: a pattern whose time grows faster than its text stops them all.

/** Patterns that the analyser considers super-linear, and what limits the text that each of them reads. */
const BOUNDED = new Map<string, string>([
  [
    String.raw`/!?\[([^\]\n]{0,300})\]\(\s{0,3}<?([^)\s>]{0,2000})(?:[>\s][^)\n]{0,300})?\)/g`,
    'each try ends within 2,605 characters, and only one of its parts can take a given character',
  ],
  [
    String.raw`/[\s,.!?]+(?:many )?(?:thanks|thank you|thx|danke|vielen dank|merci|gracias|obrigad[oa]|grazie|bedankt|dank je)(?: (?:so much|very much|a lot|in advance|im voraus|d'avance))?[\s.!]*$/iu`,
    'withoutCourtesy reads 1,000 characters',
  ],
  [
    String.raw`/(?<=\p{L}.{8,})[\s,.!?;:–-]*[,.!?;:–-]\s*(?:what (?:now|next)|what (?:do|can|should|shall) i do(?: now)?|(?:please |pls |can you |could you )?help(?: me)?|any (?:idea|advice|help)s?|was (?:nun|jetzt|tun)|was (?:mache|kann|soll) ich (?:jetzt|nun|tun|machen)|(?:bitte )?hilfe|que faire|que dois-je faire|qu[eé] hago|ayuda|cosa (?:faccio|devo fare)|aiuto|(?:o )?que fa[cç]o|ajuda|wat nu|wat moet ik doen|wat kan ik doen)[\s.!?]*$/iu`,
    'withoutCourtesy reads 1,000 characters',
  ],
  [
    String.raw`/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}.-]{0,254}[\p{L}\p{N}]/gu`,
    'each try ends within 320 characters',
  ],
  [
    String.raw`/(?:reply|ticket|chat)-\d{1,15}-\d{1,15}\.[\w-]{16}(?=@)/g`,
    'each try ends within 60 characters',
  ],
  [String.raw`/[\w.+-]{1,64}@[a-z\d.-]{1,253}/gi`, 'each try ends within 320 characters'],
  [String.raw`/\]\([^)\s]*\)/g`, 'a message of a chat has 4,000 characters at most'],
  [
    String.raw`/(?<![\w.:/-])\/help\/images\/\d{1,15}-(?=\d{1,15}-[0-9a-f]{32})/g`,
    'each try ends within 78 characters',
  ],
  [
    String.raw`/^\s*create (?:unlogged )?table (?:if not exists )?"?(\w+)"?|^\s*alter table .* rename to "?(\w+)"?/gim`,
    'reads the migrations of this repository',
  ],
  [String.raw`/"((?:[^"\\]|\\.)*)"/g`, 'reads the examples of the API reference, which Foyer writes itself'],
  [
    String.raw`/("(?:[^"\\]|\\.)*"(?=:))/`,
    'reads the examples of the API reference, which Foyer writes itself',
  ],
  [
    String.raw`/(?<=[.!?…]["'”’»)\]]{0,3})\s+|(?<=[。！？｡][」』”）]{0,3})(?![」』”）。！？｡])/gu`,
    'each looks back at most four characters, and whitespace only behind a sentence',
  ],
  [String.raw`/\[([^[\]]*)\]\([^)]{0,2000}\)/g`, 'each try ends within 2,000 characters of its label'],
]);

/** Patterns that are built at run time, as the source builds them. */
const BUILT: Readonly<Record<string, string>> = {
  "new RegExp(GAP, 'g')": 'GAP is a pattern of the same file, which is checked',
  "new RegExp(`^${source.join('')}$`, 's')": 'reads sentences that the server has made itself',
  'new RegExp(`^${pattern}$`)': 'reads lines that the server has made itself',
  'new RegExp(`^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,${FIELD_KEY_MAX - 1}}$`)':
    'anchored, one class after the first character',
  "new RegExp(`(@(?:${longestFirst.map(({ name }) => literally(name)).join('|')}))`, 'g')":
    'names of agents, at most 100 characters each, without repetition',
  "new RegExp( `(?<!\\\\p{L})(?:${Object.keys(GERMAN) .toSorted((a, b) => b.length - a.length) .join('|')})(?!\\\\p{L})`, 'gu', )":
    'fixed words without repetition',
  "new RegExp( String.raw`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|er|º|ª|\\.)?\\s{0,2}(?:(?:of|de|di)\\s|d'\\s?)?${month}(?:,?\\s{1,2}(?:de\\s|del\\s)?(\\d{4})(?!\\d))?`, 'gu', )":
    'names of months without repetition: each try ends within 50 characters',
  "new RegExp( String.raw`${month}\\s{1,2}(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:]|[.,]\\d)(?:,?\\s{1,2}(\\d{4})(?!\\d))?`, 'gu', )":
    'names of months without repetition: each try ends within 50 characters',
  "new RegExp(String.raw`${month},?\\s{1,2}(?:de\\s|del\\s)?(\\d{4})(?!\\d)`, 'gu')":
    'names of months without repetition: each try ends within 50 characters',
  "new RegExp(NUMBER, 'gu')": 'each try ends within 50 characters',
  "new RegExp(String.raw`(?<![\\d.,])(${NUMBER})[ \\t-]?(${pattern})(?![\\p{L}\\p{M}])`, 'gu')":
    'a number of at most 50 characters and fixed words without repetition',
  "new RegExp(String.raw`(?<![\\p{L}\\p{M}])(${pattern})[ \\t]?(${NUMBER})(?![\\d])`, 'gu')":
    'a number of at most 50 characters and fixed words without repetition',
  "new RegExp( String.raw`(?<![\\d.,:])(\\d{1,2})${MINUTES}?(\\s?(?:-|–|—|to|until|till|bis|tot|and|und)\\s?)(?=(\\d{1,2})${MINUTES}?(?:${HALF_DAY}|(${CLOCK})))`, 'gu', )":
    'each try ends within 40 characters',
  "new RegExp(String.raw`(?<![\\d.,:])(\\d{1,2})${MINUTES}?${HALF_DAY}`, 'gu')":
    'each try ends within 20 characters',
  "new RegExp(String.raw`(?<![\\d,:])(\\d{1,2})[.:]([0-5]\\d)()${CLOCK}`, 'gu')":
    'each try ends within 20 characters',
  "new RegExp(String.raw`(?<![\\d.,:])(\\d{1,2})()()${CLOCK}`, 'gu')": 'each try ends within 20 characters',
  "new RegExp(String.raw`(?<![\\d.,:])(\\d{1,2})${MINUTES}()(?!\\d)`, 'gu')":
    'each try ends within 20 characters',
};

/** Limits by count instead of by time, so that a busy machine gives the same results. */
const EFFORT = {
  timeout: null,
  attackTimeout: -1,
  recallTimeout: -1,
  maxNFASize: 6_000,
  maxIteration: 2,
  incubationLimit: 5_000,
  maxGeneStringSize: 512,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
};

const files = productPatterns();
const nameOf = ({ source, flags }: { source: string; flags: string }): string => `/${source}/${flags}`;

async function verdictOn({ source, flags }: { source: string; flags: string }): Promise<string> {
  const found = await check(source, flags, EFFORT);
  if (found.status === 'vulnerable') return `vulnerable: ${found.complexity.summary}`;
  return found.status === 'unknown' ? `unknown: ${found.error.kind}` : found.status;
}

beforeAll(() => {
  // Without it the analyser starts Java or its own binary.
  process.env.RECHECK_BACKEND = 'pure';
});
afterAll(() => {
  delete process.env.RECHECK_BACKEND;
});

const known = new Map<string, Promise<string>>();

describe.each(files.map((file) => [file.file, file] as const))('%s', (_, { patterns, built }) => {
  it('reads text in a time that grows no faster than the text', async () => {
    for (const pattern of patterns) {
      const name = nameOf(pattern);
      if (BOUNDED.has(name)) continue;
      const verdict = known.get(name) ?? verdictOn(pattern);
      known.set(name, verdict);
      expect(`${name} ${await verdict}`).toBe(`${name} safe`);
    }
    expect(built.filter((made) => !Object.hasOwn(BUILT, made))).toEqual([]);
  });
});

it('has no exception for a removed pattern', () => {
  const names = new Set(files.flatMap(({ patterns }) => patterns.map(nameOf)));
  const made = new Set(files.flatMap(({ built }) => built));
  expect([...BOUNDED.keys()].filter((name) => !names.has(name))).toEqual([]);
  expect(Object.keys(BUILT).filter((name) => !made.has(name))).toEqual([]);
});

it('finds what takes a time that grows with the square of the text', async () => {
  expect(await verdictOn({ source: String.raw`\S@\S+\.\S`, flags: '' })).toMatch(/^vulnerable/);
  expect(await verdictOn({ source: '(a+)+$', flags: '' })).toMatch(/^vulnerable/);
});
