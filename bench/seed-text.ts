/** Text with the word frequencies of real tickets, the same for the same seed, and without anybody's data. */

/** mulberry32: numbers from 0 to 1, the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const DRAWS = 1 << 20;

/** Draws 0 to `count - 1`, each `rank` as often as 1 / (rank + 1): as words, tags and busy people are. */
export function zipf(count: number, random: () => number): () => number {
  const total = Array.from({ length: count }, (_, rank) => 1 / (rank + 1)).reduce((sum, one) => sum + one, 0);
  const drawn = new Uint32Array(DRAWS);
  let [rank, upTo] = [0, 1 / total];
  for (let at = 0; at < DRAWS; at++) {
    while (at / DRAWS >= upTo && rank < count - 1) {
      rank += 1;
      upTo += 1 / ((rank + 1) * total);
    }
    drawn[at] = rank;
  }
  return () => drawn[Math.floor(random() * DRAWS)] ?? 0;
}

const FUNCTION_WORDS =
  'the to and i of a my in is it you for that have on with was this not but are be your we can as if do me so at or will an from they when there has what just by all get how would no up been out about did am had which after could any more only please again because them then than still were also now our why who does where into some other over should before us their here since very'.split(
    ' ',
  );

/** Topics of support requests, most frequent first. */
const MATTERS =
  'order account email refund password delivery payment invoice card login parcel shipping product help address subscription error app page customer number code return price website phone date charged cancel update received change working plan problem support team message link issue charge tracking bank service access money item discount renewal billing days week month today yesterday box damaged missing broken wrong late twice again failed reset upgrade downgrade export import upload download invite user admin role permission setting webhook integration token key limit usage report dashboard screen button browser mobile tablet android safari chrome firefox crash slow blank loading notification sound chat ticket reply inbox domain certificate backup restore server database sync calendar contact label template signature voucher coupon gift warranty repair replacement colour size fabric lamp sofa table chair curtain carpet pillow blanket mirror frame candle vase basket shelf drawer cabinet bulb socket cable plug battery charger remote manual assembly screw hinge handle paint stain scratch dent crack leak noise smell mould courier depot customs duty tax receipt statement transfer deposit balance credit debit cheque currency exchange fee fine penalty contract terms privacy consent cookie newsletter unsubscribe spam filter blocked banned suspended deleted restored archived merged duplicate transferred forwarded escalated resolved confirmed pending approved rejected expired renewed extended postponed rescheduled collected dispatched delivered returned lost stolen found exchanged compensated apologised explained promised waited called wrote asked answered ignored noticed tried checked installed removed connected disconnected configured verified activated registered signed opened closed printed scanned copied pasted saved sent'.split(
    ' ',
  );

const ONSETS = 'b c d f g h j l m n p r s t v w br ch cl cr dr fl gr pl pr sh sl sp st str th tr'.split(' ');
const VOWELS = 'a e i o u ai ea ee io oa ou'.split(' ');
const CODAS = ['', '', 'l', 'm', 'n', 'nd', 'nt', 'r', 'rd', 's', 'st', 't', 'ck', 'x'];
const ENDINGS = ['', '', '', 's', 'ed', 'ing', 'er', 'ment', 'ness', 'ation', 'ly', 'able'];
const VOCABULARY = 30_000;

function inventWord(random: () => number): string {
  const pick = (parts: readonly string[]): string => parts[Math.floor(random() * parts.length)] ?? '';
  const syllable = (): string => pick(ONSETS) + pick(VOWELS) + pick(CODAS);
  return syllable() + (random() < 0.6 ? syllable() : '') + pick(ENDINGS);
}

/** Most frequent first: common words, topics of support requests, and a long tail. */
export function makeVocabulary(): readonly string[] {
  const random = randomFrom(1);
  const words = new Set([...FUNCTION_WORDS, ...MATTERS]);
  while (words.size < VOCABULARY) words.add(inventWord(random));
  return [...words];
}

/** The index of the first content word. */
export const FIRST_MATTER = FUNCTION_WORDS.length;

export interface Writer {
  /** Words without anything between them but spaces. */
  words(least: number, most: number): string;
  /** Sentences of that many words in all. */
  prose(least: number, most: number): string;
}

export function makeWriter(vocabulary: readonly string[], random: () => number): Writer {
  const draw = zipf(vocabulary.length, random);
  const many = (least: number, most: number): string[] => {
    const found: string[] = [];
    for (let left = least + Math.floor(random() * (most - least + 1)); left > 0; left--)
      found.push(vocabulary[draw()] ?? '');
    return found;
  };
  return {
    words: (least, most) => many(least, most).join(' '),
    prose(least, most) {
      const found = many(least, most);
      for (let at = 8; at < found.length; at += 9) found[at] += '.';
      return `${found.join(' ')}.`;
    },
  };
}

const FIRST_NAMES =
  'Anna Ben Clara David Elena Farid Grace Hugo Ines Jonas Katarina Liam Mara Noah Olga Pavel Quinn Rosa Sven Tessa Umar Vera Wendel Ximena Yusuf Zoe Aiko Bruno Chiara Dmitri Esther Felix Greta Hanna Ivan Julia Karim Lotte Miguel Nadia'.split(
    ' ',
  );
const NAME_BEGINNINGS =
  'Ander Berg Cald Dor East Fair Gold Hart Iver John Kirk Lind Mar Nord Oster Peder Quin Rich Sander Thor Under Vander Wester York Zimmer Black Brown Carl Daven Ellis'.split(
    ' ',
  );
const NAME_MIDDLES = ['', 'er', 'en', 'in', 'an', 'o', 'el', 'is'];
const NAME_ENDINGS =
  'son sen berg man ner ley ton field wood stein ova ini ez escu dottir ski vic mann beck worth'.split(' ');

/** One of 192,000 names, the same for the same number. */
export function nameOf(number: number): { first: string; last: string } {
  const mixed = Math.imul(number + 1, 2_654_435_761) >>> 0;
  const pick = (parts: readonly string[], from: number): string =>
    parts[Math.floor(from) % parts.length] ?? '';
  const last =
    pick(NAME_BEGINNINGS, mixed / 40) + pick(NAME_MIDDLES, mixed / 1_200) + pick(NAME_ENDINGS, mixed / 9_600);
  return { first: pick(FIRST_NAMES, mixed), last };
}
