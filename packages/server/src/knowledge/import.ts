import { ARTICLE_BODY_MAX, IMPORT_MAX_BYTES, type ImportResult } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { AppError } from '../errors.ts';
import type { ArticleRow } from './articles.ts';
import { canonicalBody } from './export-text.ts';
import { articleKey, type ImportedDocument, parseImport } from './import-text.ts';
import { lockKnowledge, nextVersion } from './knowledge-version.ts';
import { createSlugs } from './slug.ts';

/** Rows a statement takes: keeps parameters and answers at some megabytes, whatever the blob holds. */
const CHUNK_ROWS = 2_000;
/** Bodies that are fetched at a time, each of them up to ARTICLE_BODY_MAX. */
const CHUNK_BODIES = 100;

interface Keyed {
  readonly key: string;
  readonly document: ImportedDocument;
}

/** An article that a document speaks of; `is_same`: body to the letter. */
type Known = Pick<ArticleRow, 'id' | 'article_key' | 'title' | 'status'> & { is_same: boolean };

interface Change {
  id: number;
  title: string;
  status: string;
  body: string;
}

function* chunksOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

async function findKnown(
  { db, site }: SiteContext,
  documents: readonly Keyed[],
): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  for (const chunk of chunksOf(documents, CHUNK_ROWS)) {
    const asked = JSON.stringify(chunk.map(({ key, document }) => ({ key, body: document.body })));
    const { rows } = await sql<Known>`
      select a.id, a.article_key, a.title, a.status, a.body = d.body as is_same
      from json_to_recordset(${asked}::json) as d (key text, body text)
      join articles a on a.site_id = ${site.id} and a.article_key = d.key`.execute(db);
    for (const row of rows) known.set(row.article_key, row);
  }
  return known;
}

/** Of bodies that differ to the letter, those that are the same text in the form in which exports write it. */
async function findAlike(
  { db, site }: SiteContext,
  bodies: ReadonlyMap<number, string>,
): Promise<Set<number>> {
  const alike = new Set<number>();
  for (const ids of chunksOf([...bodies.keys()], CHUNK_BODIES)) {
    const rows = await db
      .selectFrom('articles')
      .select(['id', 'body'])
      .where('site_id', '=', site.id)
      .where('id', 'in', ids)
      .execute();
    for (const { id, body } of rows) {
      if (canonicalBody(body) === canonicalBody(bodies.get(id) ?? '')) alike.add(id);
    }
  }
  return alike;
}

async function changesOf(
  ctx: SiteContext,
  pairs: readonly (readonly [Known, ImportedDocument])[],
): Promise<Change[]> {
  const different = pairs.filter(([known]) => !known.is_same);
  const alike = await findAlike(ctx, new Map(different.map(([known, { body }]) => [known.id, body])));
  return pairs
    .filter(
      ([known, { title, status }]) =>
        title !== known.title ||
        (status !== undefined && status !== known.status) ||
        !(known.is_same || alike.has(known.id)),
    )
    .map(([known, { title, status, body }]) => ({
      id: known.id,
      title,
      status: status ?? known.status,
      body,
    }));
}

async function insertArticles(ctx: SiteContext, documents: readonly Keyed[], version: number): Promise<void> {
  const { db, site } = ctx;
  const taken = await db.selectFrom('articles').select('slug').where('site_id', '=', site.id).execute();
  const slugs = createSlugs(taken.map(({ slug }) => slug));
  for (const chunk of chunksOf(documents, CHUNK_ROWS)) {
    const rows = chunk.map(({ key, document: { title, category, status = 'Draft', body } }) => ({
      key,
      title,
      category,
      status,
      body,
      slug: slugs.take(title),
    }));
    await sql`
      insert into articles (site_id, title, category, article_key, status, body, slug, version, created_at, updated_at)
      select ${site.id}, title, category, key, status, body, slug, ${version}, ${ctx.now()}, ${ctx.now()}
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as d (key text, title text, category text, status text, body text, slug text)`.execute(db);
  }
}

async function updateArticles(ctx: SiteContext, changes: readonly Change[], version: number): Promise<void> {
  for (const chunk of chunksOf(changes, CHUNK_ROWS)) {
    await sql`
      update articles a
      set title = d.title, status = d.status, body = d.body, version = ${version}, updated_at = ${ctx.now()}
      from json_to_recordset(${JSON.stringify(chunk)}::json) as d (id bigint, title text, status text, body text)
      where a.site_id = ${ctx.site.id} and a.id = d.id`.execute(ctx.db);
  }
}

/**
 * Takes a blob of markdown documents in (decisions 7), all in one transaction: what can't be taken is reported, by its
 * place, and the others go in. The same blob again changes nothing; two at once follow each other.
 * @throws AppError 413 over 5 MiB.
 */
export async function importArticles(ctx: SiteContext, text: string): Promise<ImportResult> {
  if (Buffer.byteLength(text) > IMPORT_MAX_BYTES) {
    throw new AppError('payload_too_large', 'The text is larger than 5 MiB. Import it in parts.');
  }
  const parsed = parseImport(text);
  const fits = ({ body }: ImportedDocument): boolean => body.length <= ARTICLE_BODY_MAX;
  const tooLong = parsed.documents
    .filter((document) => !fits(document))
    .map(({ index, line }) => ({
      index,
      line,
      message: `the text is longer than ${ARTICLE_BODY_MAX} characters`,
    }));
  const failed = [...parsed.failed, ...tooLong].sort((one, other) => one.index - other.index);
  const documents = parsed.documents
    .filter(fits)
    .map((document) => ({ key: articleKey(document.title, document.category), document }));
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const known = await findKnown(tx, documents);
    const fresh = documents.filter(({ key }) => !known.has(key));
    const pairs = documents.flatMap(({ key, document }) => {
      const article = known.get(key);
      return article ? [[article, document] as const] : [];
    });
    const changes = await changesOf(tx, pairs);
    if (fresh.length + changes.length > 0) {
      const version = await nextVersion(tx);
      await insertArticles(tx, fresh, version);
      await updateArticles(tx, changes, version);
    }
    return {
      created: fresh.length,
      updated: changes.length,
      unchanged: pairs.length - changes.length,
      failed,
    };
  });
}
