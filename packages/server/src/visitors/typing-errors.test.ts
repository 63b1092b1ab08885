import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { useGround } from '../../test/ground.ts';
import { slipsBetween } from '../text/typos.ts';
import { partsOf, type Slips } from './search-terms.ts';
import { indexedFor } from './typing-errors.ts';

const ground = useGround();

/** The same numbers in each run: mulberry32 with a fixed seed. */
function drawing(): (below: number) => number {
  let state = 7;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

interface Typed {
  meant: string;
  typed: string;
}

/** Words of so many letters at least, and what is typed instead of each, exactly so many typing errors away. */
function typedWrong(letters: string, least: number, slips: Slips, isSlight = false): Typed[] {
  const draw = drawing();
  const letter = (): string => letters.charAt(draw(letters.length));
  const slip = (word: string, slight: boolean): string => {
    const at = draw(word.length);
    const [before, here, behind] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
    const ways = [
      before + letter() + here + behind,
      before + behind.charAt(0) + here + behind.slice(1),
      before + letter() + behind,
      before + behind,
    ];
    return ways[draw(slight ? 2 : 4)] ?? word;
  };
  const pairs = Array.from({ length: 600 }, () => {
    const meant = Array.from({ length: least + draw(5) }, letter).join('');
    const once = slip(meant, isSlight);
    return { meant, typed: slips === 1 ? once : slip(once, false) };
  });
  return pairs.filter(({ meant, typed }) => slipsBetween(typed, meant, slips + 1) === slips);
}

/** Those whose meant word the index doesn't lead to. */
async function notLedTo(pairs: readonly Typed[], mayHaveTwo: boolean): Promise<string[]> {
  const rows = pairs.map(({ meant, typed }) => ({
    meant,
    typed,
    looked_up: indexedFor([typed], () => mayHaveTwo).flat(),
  }));
  const { db } = await ground.makeSite();
  const { rows: missed } = await sql<Typed>`
    select r.meant, r.typed from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (meant text, typed text, looked_up text[])
    where not visitor_typo_keys(5, visitor_search_text(' ' || r.meant || ' x@y.example 12'))
      && array(select (hashtextextended(word, 5) >> 32)::int from unnest(r.looked_up) as word)`.execute(db);
  return missed.map(({ meant, typed }) => `${typed} for ${meant}`);
}

const LATIN = 'abcdefghijklmnopqrstuvwxyz';
test.each([
  ['Latin', LATIN],
  ['Latin and other', 'aelnrstøłþ'],
  ['Greek', 'αβγδεζηθικλμνξοπρστυφχψω'],
  ['Cyrillic', 'абвгдежзиклмнопрстуфхцчшщыэюя'],
])('a typo in %s letters leads to the word', async (_, letters) => {
  const pairs = typedWrong(letters, 4, 1);
  expect(pairs.length).toBeGreaterThan(300);
  expect(await notLedTo(pairs, false)).toEqual([]);
});

test('two typos lead to the word if one is a letter too many or two letters swapped', async () => {
  const pairs = typedWrong(LATIN, 8, 2, true);
  expect(pairs.length).toBeGreaterThan(300);
  expect(await notLedTo(pairs, true)).toEqual([]);
});

test('any two typos lead to nearly all words of common letters', async () => {
  const pairs = typedWrong('aeiourlnsthdmk', 8, 2);
  expect(pairs.length).toBeGreaterThan(300);
  expect((await notLedTo(pairs, true)).length).toBeLessThan(pairs.length / 20);
});

test.each<[Slips]>([[1], [2]])('%i typos leave a part of the word as it is', (slips) => {
  const pairs = typedWrong(LATIN, slips === 1 ? 4 : 8, slips);
  const changed = pairs.filter(
    ({ meant, typed }) => !partsOf(typed, slips).some((one) => meant.includes(one)),
  );
  expect(changed).toEqual([]);
});
