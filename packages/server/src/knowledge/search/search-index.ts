import { LANGUAGES, type Language, stem } from '../../text/languages.ts';
import { wordsOf } from '../../text/words.ts';
import { articleTerms, samplesOf } from './article-terms.ts';
import { isProse, languageOfPassages } from './article-traits.ts';
import type { Written } from './compounds.ts';
import { bestScore, coverageOf, scoreConcept } from './concept-scores.ts';
import type { LearnedModel } from './learned-model.ts';
import { type LearnableArticle, learning } from './learning.ts';
import type { Passage } from './passages.ts';
import { Postings } from './postings.ts';
import { type Concept, conceptsOf, QUESTION_MAX_CHARS } from './question.ts';
import { SaidBack } from './sameness.ts';
import { ScoreBoard } from './score-board.ts';
import type { Likeness, PassageHit, SearchHit, SentenceHit } from './search-hits.ts';
import { type Meanings, ownMeanings } from './synonyms.ts';
import type { Nearness } from './vectors/nearness.ts';

/** A question in the form that all its hits use. */
interface Asked {
  readonly concepts: readonly Concept[];
  readonly information: number;
  readonly saidBack: SaidBack;
  readonly closeness: (text: string) => number;
  readonly nearness: Nearness | undefined;
}

interface Unit {
  readonly article: number;
  readonly passage: number;
  readonly line: number;
  readonly at: number;
}

/** The matches of a question in one passage; masks have a bit for each concept. */
interface FoundUnits {
  readonly sentences: number[];
  mask: number;
  headingMask: number;
  top: number;
}

interface IndexedArticle {
  readonly slot: number;
  readonly language: Language;
  readonly passages: readonly Passage[];
  readonly isProse: boolean;
  /** Its title is a question. */
  readonly asks: boolean;
  readonly unitSlots: readonly number[];
}

/**
 * The parts of an article's score: its whole text, its title alone, and its best sentences. Several sentences count,
 * each less than the one before, because one alone is often luck.
 */
interface Shares {
  readonly text: number;
  readonly title: number;
  readonly sentence: number;
}
/**
 * In prose the whole text matters most; where titles are the questions that visitors ask, the title; and among samples
 * the most similar one. Chosen on the open half of `bench/sites` and on `stackfaq-articles` (see `bench/retrieval.ts`).
 */
const SHARES = {
  prose: { text: 0.6, title: 0.15, sentence: 0.25 },
  asked: { text: 0.2, title: 0.5, sentence: 0.3 },
  samples: { text: 0.28, title: 0.17, sentence: 0.55 },
} as const satisfies Record<string, Shares>;
/** From this share of its titles on, a knowledge base is a list of questions with their answers. */
const ASKED_SHARE = 0.5;
const QUESTION = /[?？؟]\s*$/u;
const SENTENCE_DECAYS = [1, 0.8, 0.64, 0.51, 0.41];
/** The weight of similarity to an article's sentences, beside its words; 2 is that of the sentences themselves. */
const LIKENESS_SHARE = 0.15;
/**
 * The weight of nearness in meaning. With 0.1 or 0.2, the right article of `stackfaq-articles` is first for 85 instead
 * of 80 % of the questions; more makes it worse on the open half of `bench/sites`.
 */
const NEARNESS_SHARE = 0.1;
/** Words in more sentences than this only add to sentences that a rarer word has found. */
const COMMON_IN_SENTENCES = 5_000;
/** How many sentences of an article are compared with a question as a whole: those with most of its words. */
const UNITS_COMPARED = 5;
/** How many sentences are read for two adjacent words. */
const UNITS_READ = 50;
/** Words of the title are the same for all passages of an article: they say little about which one answers. */
const TITLE_WORD_VALUE = 0.3;

/** Measured size of an empty index, and of each sentence with its text. */
const EMPTY_BYTES = 8_000;
const UNIT_BYTES = 700;

/** A BM25 index over the passages of articles, in memory; articles are added and removed one by one. */
export class SearchIndex {
  readonly #texts = new Postings();
  readonly #titles = new Postings();
  readonly #sentences = new Postings();
  readonly #articles = new Map<number, IndexedArticle>();
  readonly #bySlot: (IndexedArticle | undefined)[] = [];
  readonly #units: (Unit | undefined)[] = [];
  readonly #freeArticles: number[] = [];
  readonly #freeUnits: number[] = [];
  readonly #languages = new Map<Language, number>();
  readonly #unitBoard = new ScoreBoard();
  readonly #textBoard = new ScoreBoard();
  readonly #titleBoard = new ScoreBoard();
  readonly #articleBoard = new ScoreBoard();
  #learned: LearnedModel | undefined;
  /** Articles whose titles are questions. */
  #asking = 0;
  #synonyms: readonly (readonly string[])[] = [];
  readonly #meanings = new Map<Language, Meanings>();

  get articleCount(): number {
    return this.#articles.size;
  }

  /** Its approximate size in memory, within a quarter. */
  get bytes(): number {
    const postings = this.#texts.bytes + this.#titles.bytes + this.#sentences.bytes;
    return EMPTY_BYTES + postings + UNIT_BYTES * this.room + (this.#learned?.bytes ?? 0);
  }

  /** Slots for sentences, headings and titles, including free ones. */
  get room(): number {
    return this.#units.length;
  }

  /** All passages of the index. */
  passages(): Passage[] {
    return [...this.#articles.values()].flatMap(({ passages }) => passages);
  }

  has(articleId: number): boolean {
    return this.#articles.has(articleId);
  }

  /** Groups of words and phrases that mean the same to this site's customers. */
  setSynonyms(groups: readonly (readonly string[])[]): void {
    this.#synonyms = groups;
    this.#meanings.clear();
  }

  /** Articles added since the last learning are found by their words alone. */
  *learn(): Generator<void, void> {
    const articles: LearnableArticle[] = [];
    for (const [articleId, { passages }] of this.#articles)
      articles.push({ articleId, samples: samplesOf(passages) });
    articles.sort((a, b) => a.articleId - b.articleId);
    this.#learned = yield* learning(articles);
  }

  /** Adds the passages of one article, or replaces them. */
  add(passages: readonly Passage[]): void {
    const articleId = passages[0]?.articleId;
    if (articleId === undefined) return;
    this.remove(articleId);
    const language = languageOfPassages(passages);
    const terms = articleTerms(passages, language);
    const slot = this.#freeArticles.pop() ?? this.#bySlot.length;
    this.#texts.add(slot, terms.text);
    this.#titles.add(slot, terms.title);
    const unitSlots = terms.units.map(({ counts, passage, line, at }) => {
      const unit = this.#freeUnits.pop() ?? this.#units.length;
      this.#units[unit] = { article: slot, passage, line, at };
      this.#sentences.add(unit, counts);
      return unit;
    });
    const asks = QUESTION.test(passages[0]?.title ?? '');
    if (asks) this.#asking += 1;
    const article = { slot, language, passages, isProse: isProse(passages), asks, unitSlots };
    this.#bySlot[slot] = article;
    this.#articles.set(articleId, article);
    this.#languages.set(language, (this.#languages.get(language) ?? 0) + 1);
  }

  /** Removes an article; an unknown one is ignored. */
  remove(articleId: number): void {
    const article = this.#articles.get(articleId);
    if (article === undefined) return;
    const terms = articleTerms(article.passages, article.language);
    this.#texts.remove(new Set([article.slot]), terms.text.keys());
    this.#titles.remove(new Set([article.slot]), terms.title.keys());
    this.#sentences.remove(new Set(article.unitSlots), terms.text.keys());
    for (const unit of article.unitSlots) this.#units[unit] = undefined;
    this.#freeUnits.push(...article.unitSlots);
    this.#bySlot[article.slot] = undefined;
    this.#freeArticles.push(article.slot);
    this.#articles.delete(articleId);
    if (article.asks) this.#asking -= 1;
    this.#languages.set(article.language, (this.#languages.get(article.language) ?? 1) - 1);
  }

  /**
   * The best matching articles, each once, best first. Uses the first 1,000 characters of the question.
   * @param near counts for prose once there is a learned model: the weights are fitted to that
   */
  search(question: string, limit: number, near?: Nearness): SearchHit[] {
    const languages = LANGUAGES.filter((language) => (this.#languages.get(language) ?? 0) > 0);
    if (languages.length === 0) return [];
    const concepts = conceptsOf(question, languages, this.#texts, this.#meaningsOf, this.#written);
    if (concepts.length === 0) return [];
    this.#scoreUnits(concepts);
    this.#scoreArticles(concepts);
    this.#addLikeness(question);
    const nearness = this.#learned && near;
    if (nearness) this.#addNearness(nearness);
    const asked: Asked = {
      concepts,
      information: concepts.reduce((sum, { information }) => sum + information, 0) / this.#texts.idf(''),
      saidBack: new SaidBack(concepts, this.#texts),
      closeness: this.#learned?.cosineTo(question.slice(0, QUESTION_MAX_CHARS)) ?? (() => 0),
      nearness,
    };
    return this.#articleBoard.best(limit).flatMap((slot) => {
      const article = this.#bySlot[slot];
      return article === undefined ? [] : [this.#hitOf(article, this.#articleBoard.scoreOf(slot), asked)];
    });
  }

  readonly #meaningsOf = (language: Language): Meanings => {
    const known = this.#meanings.get(language);
    if (known !== undefined) return known;
    const made = ownMeanings(this.#synonyms, language);
    this.#meanings.set(language, made);
    return made;
  };

  readonly #written: Written = {
    standTogether: (first, second, language) =>
      this.#sentences
        .slotsWithBoth(first, second, UNITS_READ)
        .some((slot) =>
          this.#wordsOfUnit(slot).some(
            (word, at, words) =>
              stem(word, language) === first && stem(words[at + 1] ?? '', language) === second,
          ),
        ),
    isWord: (word, language) => {
      const term = stem(word, language);
      return this.#sentences
        .slotsWithBoth(term, term, UNITS_READ)
        .some((slot) => this.#wordsOfUnit(slot).includes(word));
    },
  };

  #wordsOfUnit(slot: number): string[] {
    const unit = this.#units[slot];
    const passages = this.#bySlot[unit?.article ?? -1]?.passages ?? [];
    return wordsOf(textOfUnit(passages, unit));
  }

  #scoreUnits(concepts: readonly Concept[]): void {
    const board = this.#unitBoard;
    board.reset(this.#units.length);
    const scale = 1 / (bestScore(concepts, this.#sentences) || 1);
    for (const [bit, concept] of concepts.entries()) {
      scoreConcept(
        concept,
        scale,
        bit,
        this.#sentences,
        board,
        (term) => board.touched.length === 0 || this.#sentences.count(term) <= COMMON_IN_SENTENCES,
      );
    }
  }

  #scoreArticles(concepts: readonly Concept[]): void {
    const fields: [Postings, ScoreBoard][] = [
      [this.#texts, this.#textBoard],
      [this.#titles, this.#titleBoard],
    ];
    for (const [postings, board] of fields) {
      board.reset(this.#bySlot.length);
      const scale = 1 / (bestScore(concepts, postings) || 1);
      for (const [bit, concept] of concepts.entries()) scoreConcept(concept, scale, bit, postings, board);
    }
    const board = this.#articleBoard;
    board.reset(this.#bySlot.length);
    // A title's words are in the text as well.
    for (const slot of this.#textBoard.touched) {
      const shares = this.#sharesOf(slot);
      board.add(
        slot,
        shares.text * this.#textBoard.scoreOf(slot) + shares.title * this.#titleBoard.scoreOf(slot),
      );
    }
    this.#addBestSentences(board);
  }

  #sharesOf(slot: number): Shares {
    if (this.#bySlot[slot]?.isProse === false) return SHARES.samples;
    return this.#asking < ASKED_SHARE * this.#articles.size ? SHARES.prose : SHARES.asked;
  }

  /** Adds to each article its highest unit scores. */
  #addBestSentences(board: ScoreBoard): void {
    const kept = SENTENCE_DECAYS.length;
    const best = new Float64Array(this.#bySlot.length * kept);
    for (const unit of this.#unitBoard.touched) {
      const slot = this.#units[unit]?.article;
      if (slot !== undefined) insertFalling(best, slot * kept, kept, this.#unitBoard.scoreOf(unit));
    }
    for (const slot of board.touched) {
      let sum = 0;
      for (let at = 0; at < kept; at += 1) sum += (SENTENCE_DECAYS[at] ?? 0) * (best[slot * kept + at] ?? 0);
      if (sum > 0)
        board.add(
          slot,
          (this.#sharesOf(slot).sentence * sum) / decaySum(this.#bySlot[slot]?.unitSlots.length ?? 0),
        );
    }
  }

  /** Adds to each article that has any of the words, and to those that resemble the question without them. */
  #addLikeness(question: string): void {
    if (this.#learned === undefined) return;
    const board = this.#articleBoard;
    const likenesses = this.#learned.likeness(question.slice(0, QUESTION_MAX_CHARS));
    for (const [place, articleId] of this.#learned.articleIds.entries()) {
      const slot = this.#articles.get(articleId)?.slot;
      if (slot === undefined) continue;
      const likeness = likenesses[place] ?? 0;
      if (likeness > 0 || board.scoreOf(slot) > 0) board.add(slot, LIKENESS_SHARE * likeness);
    }
  }

  /** Adds to articles that are near the question in meaning, even without any of its words. */
  #addNearness(nearness: Nearness): void {
    for (const article of this.#articles.values()) {
      const most = nearestOf(article, nearness) ?? 0;
      if (most > 0) this.#articleBoard.add(article.slot, NEARNESS_SHARE * most);
    }
  }

  #hitOf(article: IndexedArticle, score: number, asked: Asked): SearchHit {
    const { concepts, information, nearness } = asked;
    const found = article.passages.map(
      (): FoundUnits => ({ sentences: [], mask: 0, headingMask: 0, top: 0 }),
    );
    let titleMask = 0;
    let articleMask = 0;
    for (const slot of article.unitSlots) {
      const top = this.#unitBoard.scoreOf(slot);
      const unit = this.#units[slot];
      if (top === 0 || unit === undefined) continue;
      const mask = this.#unitBoard.maskOf(slot);
      articleMask |= mask;
      const passage = found[unit.passage];
      if (passage === undefined) {
        titleMask |= mask;
        continue;
      }
      passage.mask |= mask;
      passage.top = Math.max(passage.top, top);
      if (unit.line < 0) passage.headingMask |= mask;
      else passage.sentences.push(slot);
    }
    const passages = article.passages.map((passage, place): PassageHit => {
      const { sentences = [], mask = 0, headingMask = 0, top = 0 } = found[place] ?? {};
      return {
        passage,
        place,
        value:
          coverageOf(mask & ~titleMask, concepts) +
          TITLE_WORD_VALUE * coverageOf(mask & titleMask, concepts) +
          NEARNESS_SHARE * (nearness?.get(passage) ?? 0) +
          top,
        coverage: coverageOf(mask | titleMask, concepts),
        named: coverageOf(headingMask | titleMask, concepts),
        headed: coverageOf(headingMask, concepts),
        sentences: this.#sentenceHits(passage, sentences, concepts),
      };
    });
    passages.sort((a, b) => b.value - a.value);
    const [best] = passages;
    if (best === undefined) throw new Error('an indexed article has passages');
    return {
      passage: best.passage,
      score,
      learned: this.#learned !== undefined,
      coverage: coverageOf(articleMask, concepts),
      information,
      passages,
      isProse: article.isProse,
      likeness: this.#likenessOf(article, asked),
      nearness: nearness && nearestOf(article, nearness),
    };
  }

  /** For the title, and the units with most of the question's words. */
  #likenessOf(
    { passages, language, unitSlots }: IndexedArticle,
    { concepts, saidBack, closeness }: Asked,
  ): Likeness {
    const found = unitSlots.slice(1).filter((slot) => this.#unitBoard.scoreOf(slot) > 0);
    found.sort((a, b) => this.#unitBoard.scoreOf(b) - this.#unitBoard.scoreOf(a));
    // Read now: the board is overwritten by the next question before this likeness is used.
    const units = [...unitSlots.slice(0, 1), ...found.slice(0, UNITS_COMPARED)].map((slot) => ({
      unit: this.#units[slot],
      coverage: coverageOf(this.#unitBoard.maskOf(slot), concepts),
    }));
    const texts = lazily(() => units.map(({ unit }) => textOfUnit(passages, unit)));
    const samenesses = lazily(() =>
      units.map(({ coverage }, at) =>
        coverage === 0 ? 0 : Math.sqrt(coverage * saidBack.shareOf(texts()[at] ?? '', language)),
      ),
    );
    const closest = lazily(() => Math.max(0, ...texts().map(closeness)));
    return {
      get sameness() {
        return Math.max(0, ...samenesses());
      },
      get titleSameness() {
        return samenesses()[0] ?? 0;
      },
      get closeness() {
        return closest();
      },
    };
  }

  #sentenceHits(passage: Passage, units: readonly number[], concepts: readonly Concept[]): SentenceHit[] {
    const hits = units.flatMap((slot) => {
      const { line = -1, at = -1 } = this.#units[slot] ?? {};
      const sentence = passage.lines[line]?.sentences[at];
      if (sentence === undefined) return [];
      const coverage = coverageOf(this.#unitBoard.maskOf(slot), concepts);
      return [{ sentence, line, at, score: this.#unitBoard.scoreOf(slot), coverage }];
    });
    return hits.sort((a, b) => b.score - a.score);
  }
}

/** That of its nearest passage; undefined if it isn't prose. */
const nearestOf = ({ isProse, passages }: IndexedArticle, nearness: Nearness): number | undefined =>
  isProse ? Math.max(...passages.map((passage) => nearness.get(passage) ?? 0)) : undefined;

/** An index of these passages without a learned model; those of one article need not be adjacent. */
export function indexPassages(passages: Iterable<Passage>): SearchIndex {
  const index = new SearchIndex();
  const byArticle = Map.groupBy(passages, (passage) => passage.articleId);
  for (const group of byArticle.values()) index.add(group);
  return index;
}

/** An index of these passages with its learned model. */
export function buildIndex(passages: Iterable<Passage>): SearchIndex {
  const index = indexPassages(passages);
  for (const _step of index.learn());
  return index;
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function textOfUnit(passages: readonly Passage[], unit: Unit | undefined): string {
  if (unit === undefined) return '';
  const passage = passages[unit.passage];
  if (passage === undefined) return passages[0]?.title ?? '';
  if (unit.line < 0) return passage.headings.join('\n');
  return passage.lines[unit.line]?.sentences[unit.at]?.text ?? '';
}

const DECAY_SUMS = SENTENCE_DECAYS.map((_, at) =>
  SENTENCE_DECAYS.slice(0, at + 1).reduce((sum, decay) => sum + decay, 0),
);

/** The highest possible sum for an article's sentences, so that one with few sentences isn't disadvantaged. */
function decaySum(units: number): number {
  return DECAY_SUMS[Math.min(Math.max(units, 1), DECAY_SUMS.length) - 1] ?? 1;
}

/** Inserts a value into the `length` descending values from `start` on, unless it is too small. */
function insertFalling(values: Float64Array, start: number, length: number, value: number): void {
  let at = start + length - 1;
  if (value <= (values[at] ?? 0)) return;
  while (at > start && (values[at - 1] ?? 0) < value) {
    values[at] = values[at - 1] ?? 0;
    at -= 1;
  }
  values[at] = value;
}
