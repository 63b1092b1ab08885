import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { EmbeddingModel } from '../../../ai/embedding-model.ts';
import type { Db } from '../../../db/database.ts';
import { isEnglish, maybeEnglish } from '../../../text/english.ts';
import type { Passage } from '../passages.ts';
import type { SearchIndex } from '../search-index.ts';
import { byCosine, type Nearness, nearnessOf, type Placed } from './nearness.ts';

/** Passages of a site, by meaning. */
export interface PassageVectors {
  /** No provider is asked, so that a text costs only time. */
  readonly isLocal: boolean;
  /** Embeds the passages of an index in the background. Only new ones go to the model. */
  follow(siteId: number, index: SearchIndex): void;
  /** Never throws: nothing is near if the model doesn't answer, or has no vectors yet. */
  nearest(siteId: number, question: string, limit: number): Promise<Near>;
}

/** What is near a question in meaning. */
export interface Near {
  /** The nearest, best first. */
  readonly passages: readonly Passage[];
  /** Only with the encoder: the bot's weights are fitted to it, and another model's cosines mean something else. */
  readonly nearness: Nearness | undefined;
}

const NOTHING: Near = { passages: [], nearness: undefined };

interface Options {
  db: Db;
  log: Logger;
  model: EmbeddingModel;
}

const BATCH_MAX_MS = 30_000;
/** A visitor waits for a question's vector; after this the question is searched for by its words. */
const QUESTION_MAX_MS = 2_000;
/** Local models don't hang; only an evaluation, which asks many questions at once, comes near this. */
const LOCAL_QUESTION_MAX_MS = 10_000;
/** The limit of a site; the passages after it are found by their words alone. */
const PASSAGES_MAX = 5_000;
const SITES_MAX = 100;
/** From this share of English articles on, a site is one for a model of English. */
const ENGLISH_SHARE = 0.9;
const TEXT_MAX_CHARS = 4_000;

/** What is embedded of a passage. */
export const textOf = ({ title, headings, text }: Passage): string =>
  [title, ...headings, text].join('\n').slice(0, TEXT_MAX_CHARS).toWellFormed();
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Vectors are stored by the hash of their text, so a text that returns, in whatever article, isn't embedded again. */
export function createPassageVectors(options: Options): PassageVectors {
  return new ModelVectors(options);
}

class ModelVectors implements PassageVectors {
  readonly isLocal: boolean;
  readonly #options: Options;
  /** The most recently embedded site is last. */
  readonly #bySite = new Map<number, readonly Placed[]>();
  /** Sites that are being embedded, with a newer index if there is one. */
  readonly #following = new Map<number, SearchIndex | undefined>();

  constructor(options: Options) {
    this.#options = options;
    this.isLocal = options.model.isLocal;
  }

  follow(siteId: number, index: SearchIndex): void {
    const isRunning = this.#following.has(siteId);
    this.#following.set(siteId, index);
    if (!isRunning) void this.#run(siteId);
  }

  async nearest(siteId: number, question: string, limit: number): Promise<Near> {
    const known = this.#bySite.get(siteId) ?? [];
    const { model, log } = this.#options;
    if (known.length === 0 || (model.language === 'en' && !maybeEnglish(question))) return NOTHING;
    const vector = await model
      .embed([question], model.isLocal ? LOCAL_QUESTION_MAX_MS : QUESTION_MAX_MS)
      .then(
        ([first]) => first,
        (error) => {
          log.warn({ err: error }, 'a question has no vector; searching by words');
          return undefined;
        },
      );
    if (vector === undefined) return NOTHING;
    const sorted = byCosine(known, vector);
    return {
      passages: sorted.slice(0, limit).map(({ passage }) => passage),
      nearness: model.isLocal ? nearnessOf(sorted) : undefined,
    };
  }

  /** One at a time for each site; later changes are embedded after it. */
  async #run(siteId: number): Promise<void> {
    const following = this.#following;
    try {
      for (let index = following.get(siteId); index !== undefined; index = following.get(siteId)) {
        following.set(siteId, undefined);
        await this.#take(siteId, index);
      }
    } catch (error) {
      this.#options.log.warn(
        { err: error, site_id: siteId },
        'computing vectors failed; passages are found by words for now',
      );
    } finally {
      following.delete(siteId);
    }
  }

  async #take(siteId: number, index: SearchIndex): Promise<void> {
    const passages = this.#embeddable(index.passages().filter(({ text }) => text !== ''));
    const texts = new Map(passages.map((passage) => [hashOf(textOf(passage)), textOf(passage)]));
    const vectors = await this.#vectorsOf(siteId, texts);
    const known = passages.flatMap((passage) => {
      const vector = vectors.get(hashOf(textOf(passage)));
      return vector ? [{ passage, vector }] : [];
    });
    this.#bySite.delete(siteId);
    this.#bySite.set(siteId, known);
    for (const oldest of this.#bySite.keys()) if (this.#bySite.size > SITES_MAX) this.#bySite.delete(oldest);
    const { db, model } = this.#options;
    await sql`
      delete from passage_vectors where site_id = ${siteId}
        and not (model = ${model.name} and text_hash = any (${[...texts.keys()]}))`.execute(db);
  }

  /**
   * Of a model of one language, all passages or none: a question would miss the articles without vectors, because the
   * others are near it.
   */
  #embeddable(passages: readonly Passage[]): readonly Passage[] {
    if (this.#options.model.language !== 'en') return passages.slice(0, PASSAGES_MAX);
    const articles = [...Map.groupBy(passages, ({ articleId }) => articleId).values()];
    const english = articles.filter((own) => isEnglish(own.map(textOf).join('\n')));
    const isForIt = passages.length <= PASSAGES_MAX && english.length >= ENGLISH_SHARE * articles.length;
    return isForIt ? passages : [];
  }

  /** @param texts by their hashes; only those without a stored vector are embedded */
  async #vectorsOf(siteId: number, texts: ReadonlyMap<string, string>): Promise<Map<string, Float32Array>> {
    const stored = await this.#stored(siteId, [...texts.keys()]);
    const missing = [...texts].filter(([hash]) => !stored.has(hash));
    await this.#embed(siteId, missing);
    return missing.length > 0 ? this.#stored(siteId, [...texts.keys()]) : stored;
  }

  async #stored(siteId: number, hashes: readonly string[]): Promise<Map<string, Float32Array>> {
    const { db, model } = this.#options;
    const { rows } = await sql<{ hash: string; vector: Buffer }>`
      select text_hash as hash, vector from passage_vectors
      where site_id = ${siteId} and model = ${model.name} and text_hash = any (${[...hashes]})`.execute(db);
    return new Map(rows.map(({ hash, vector }) => [hash, vectorFrom(vector)]));
  }

  /** Has the model make vectors, batch by batch, and stores each batch. */
  async #embed(siteId: number, entries: readonly (readonly [hash: string, text: string])[]): Promise<void> {
    const { db, model } = this.#options;
    for (let at = 0; at < entries.length; at += model.batch) {
      const batch = entries.slice(at, at + model.batch);
      const vectors = await model.embed(
        batch.map(([, text]) => text),
        BATCH_MAX_MS,
      );
      const rows = batch.flatMap(([text_hash], place) => {
        const vector = vectors[place];
        return vector
          ? [{ site_id: siteId, model: model.name, text_hash, vector: Buffer.from(vector.buffer) }]
          : [];
      });
      await db
        .insertInto('passage_vectors')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }
}

function vectorFrom(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** How little the first ranks count more (the constant of reciprocal rank fusion, Cormack et al. 2009). */
const RANK_SMOOTHING = 60;

/** Fuses several rankings by reciprocal rank; each item once. */
export function fusedByRank<Item>(rankings: readonly Iterable<Item>[]): Item[] {
  const scores = new Map<Item, number>();
  for (const ranking of rankings) {
    let rank = 0;
    for (const item of ranking) {
      scores.set(item, (scores.get(item) ?? 0) + 1 / (RANK_SMOOTHING + rank));
      rank += 1;
    }
  }
  return [...scores].toSorted(([, a], [, b]) => b - a).map(([item]) => item);
}

declare module '../../../core/context.ts' {
  interface Services {
    /** Undefined without FOYER_AI_EMBEDDING_MODEL and FOYER_ENCODER: passages are found by their words alone. */
    readonly vectors: PassageVectors | undefined;
  }
}
