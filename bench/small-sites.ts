/**
 * How well the built-in bot answers on typical sites: ten or twenty random articles of each set, their own questions,
 * and as many that only other articles or none answer. The limit of wrong answers is that of the complete sets.
 * Usage: node bench/small-sites.ts [FOLDER], the same folder as `retrieval`.
 */
import { answerFrom, type Decision } from '../packages/server/src/bot/answer/answer.ts';
import { chosenPlaces, type DataSet, indexOf, type Query, randomFrom, readSets } from './retrieval-sets.ts';

const SIZES = [10, 20];
const SEEDS = [1, 2, 3, 4, 5];
/** Of each kind, asked of one site. */
const QUESTIONS_MAX = 150;

interface Outcomes {
  right: number;
  wrong: number;
  askedBack: number;
  silent: number;
}
const noOutcomes = (): Outcomes => ({ right: 0, wrong: 0, askedBack: 0, silent: 0 });

function count(outcomes: Outcomes, decision: Decision, isRight: (place: number) => boolean): void {
  if (decision.kind === 'ask') outcomes.askedBack += 1;
  else if (decision.kind !== 'answer') outcomes.silent += 1;
  else if (isRight(decision.sources[0]?.article_id ?? -1)) outcomes.right += 1;
  else outcomes.wrong += 1;
}

function some(questions: readonly Query[], random: () => number): Query[] {
  const places = chosenPlaces(questions.length, QUESTIONS_MAX, random);
  return questions.filter((_, at) => places.has(at));
}

function askSite(set: DataSet, size: number, seed: number, inScope: Outcomes, outOfScope: Outcomes): void {
  const random = randomFrom(seed * 7_919);
  const kept = chosenPlaces(set.docs.length, size, random);
  const index = indexOf(set.docs, (at) => kept.has(at));
  const isAnswer = ({ id }: Query, place: number): boolean =>
    set.relevant.get(id)?.has(set.docs[place]?.id ?? '') ?? false;
  const known = set.queries.filter((query) => [...kept].some((place) => isAnswer(query, place)));
  const own = new Set(known);
  const strange = [...set.queries.filter((query) => !own.has(query)), ...set.outOfScope];
  for (const query of some(known, random))
    count(inScope, answerFrom(index, query.text), (place) => isAnswer(query, place));
  for (const query of some(strange, random)) count(outOfScope, answerFrom(index, query.text), () => false);
}

function line(name: string, { right, wrong, askedBack, silent }: Outcomes): void {
  const all = right + wrong + askedBack + silent;
  const shares = [right, wrong, askedBack, silent].map((each) =>
    (each / Math.max(1, all)).toFixed(3).padStart(9),
  );
  console.log(`${name.padEnd(44)} ${shares.join(' ')}   of ${all}`);
}

console.log(
  `${''.padEnd(44)} ${['right', 'wrong', 'asked', 'silent'].map((each) => each.padStart(9)).join(' ')}`,
);
for (const set of readSets()) {
  for (const size of SIZES) {
    const [inScope, outOfScope] = [noOutcomes(), noOutcomes()];
    for (const seed of SEEDS) askSite(set, size, seed, inScope, outOfScope);
    line(`${set.name}, ${size} articles, in scope`, inScope);
    line(`${set.name}, ${size} articles, out of scope`, outOfScope);
  }
}
