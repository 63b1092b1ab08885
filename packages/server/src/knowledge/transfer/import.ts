import {
  ARTICLE_BODY_MAX,
  IMPORT_MAX_BYTES,
  IMPORT_PREVIEW_MAX,
  type ImportOutcome,
  type ImportPreview,
  type ImportResult,
} from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { ArticleText } from '../articles/articles.ts';
import { categoryIds } from '../articles/categories.ts';
import { createSlugs } from '../articles/slug.ts';
import { takenSlugs } from '../articles/slugs.ts';
import { noteVersions } from '../articles/versions.ts';
import { lockKnowledge, nextVersion } from '../knowledge-version.ts';
import { canonicalBody } from './export-text.ts';
import {
  articleKey,
  categoryName,
  type ImportedDocument,
  parseImport,
  titleKey,
  tooLong,
} from './import-text.ts';

/** Rows per statement: limits parameters and results to some megabytes, whatever the blob contains. */
const CHUNK_ROWS = 2_000;
/** Bodies that are fetched at a time, each of them up to ARTICLE_BODY_MAX. */
const CHUNK_BODIES = 100;

interface Keyed {
  readonly key: string;
  readonly document: ImportedDocument;
}

/** The article that a document refers to; `is_same`: its body is identical. */
interface Known extends Pick<ArticleText, 'title' | 'status'> {
  readonly key: string;
  readonly id: number;
  readonly is_same: boolean;
}

interface Change extends Pick<ArticleText, 'title' | 'status' | 'body'> {
  readonly id: number;
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
    const asked = chunk.map(({ key, document: { title, category, body } }) => ({
      key,
      title: titleKey(title),
      category: category === null ? null : categoryName(category),
      body,
    }));
    const { rows } = await sql<Known>`
      select d.key, a.id, a.title, a.status, a.body = d.body as is_same
      from json_to_recordset(${JSON.stringify(asked)}::json) as d (key text, title text, category text, body text)
      left join categories c on c.site_id = ${site.id} and c.name = d.category
      join articles a on a.site_id = ${site.id} and a.title_key = d.title
        and a.category_id is not distinct from c.id and (c.id is null) = (d.category is null)`.execute(db);
    for (const row of rows) known.set(row.key, row);
  }
  return known;
}

/** Of the bodies that aren't identical, those that are the same text in the form of exports. */
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
  const named = documents.flatMap(({ document: { category } }) =>
    category === null ? [] : [categoryName(category)],
  );
  const categories = await categoryIds(ctx, named);
  const slugs = createSlugs(await takenSlugs(ctx, 'article'));
  for (const chunk of chunksOf(documents, CHUNK_ROWS)) {
    const rows = chunk.map(({ document: { title, category, status = 'Draft', body } }) => ({
      key: titleKey(title),
      title,
      category_id: category === null ? null : categories.get(categoryName(category)),
      status,
      body,
      slug: slugs.take(title),
    }));
    const made = await sql<{ id: number }>`
      insert into articles (site_id, title, title_key, category_id, status, body, slug, version, created_at, updated_at)
      select ${site.id}, title, key, category_id, status, body, slug, ${version}, ${ctx.now()}, ${ctx.now()}
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as d (key text, title text, category_id bigint, status text, body text, slug text)
      returning id`.execute(db);
    await noteVersions(
      ctx,
      made.rows.map(({ id }) => id),
      'imported',
    );
  }
}

async function updateArticles(ctx: SiteContext, changes: readonly Change[], version: number): Promise<void> {
  for (const chunk of chunksOf(changes, CHUNK_ROWS)) {
    await sql`
      update articles a
      set title = d.title, status = d.status, body = d.body, version = ${version}, updated_at = ${ctx.now()}
      from json_to_recordset(${JSON.stringify(chunk)}::json) as d (id bigint, title text, status text, body text)
      where a.site_id = ${ctx.site.id} and a.id = d.id`.execute(ctx.db);
    await noteVersions(
      ctx,
      chunk.map(({ id }) => id),
      'imported',
    );
  }
}

/** What an import of a text would do, document by document. */
interface ImportPlan {
  readonly fresh: readonly Keyed[];
  readonly changes: readonly (Change & { readonly document: ImportedDocument })[];
  readonly unchanged: readonly ImportedDocument[];
  readonly failed: ImportResult['failed'];
}

/** @throws AppError 413 over 5 MiB. */
function readImport(text: string): { documents: Keyed[]; failed: ImportResult['failed'] } {
  if (Buffer.byteLength(text) > IMPORT_MAX_BYTES) {
    throw new AppError('payload_too_large', 'The text is larger than 5 MiB. Import it in parts.', {
      reason: 'upload_large',
      values: { megabytes: 5 },
    });
  }
  const parsed = parseImport(text);
  const fits = ({ body }: ImportedDocument): boolean => body.length <= ARTICLE_BODY_MAX;
  const overlong = parsed.documents
    .filter((document) => !fits(document))
    .map(({ index, line }) => ({ index, line, ...tooLong('the text', 'body_long', ARTICLE_BODY_MAX) }));
  return {
    documents: parsed.documents
      .filter(fits)
      .map((document) => ({ key: articleKey(document.title, document.category), document })),
    failed: [...parsed.failed, ...overlong].sort((one, other) => one.index - other.index),
  };
}

/** @throws AppError 413 over 5 MiB. */
async function planImport(ctx: SiteContext, text: string): Promise<ImportPlan> {
  const { documents, failed } = readImport(text);
  const known = await findKnown(ctx, documents);
  const pairs = documents.flatMap(({ key, document }) => {
    const article = known.get(key);
    return article ? [[article, document] as const] : [];
  });
  const byId = new Map(pairs.map(([article, document]) => [article.id, document]));
  const changes = (await changesOf(ctx, pairs)).flatMap((change) => {
    const document = byId.get(change.id);
    byId.delete(change.id);
    return document ? [{ ...change, document }] : [];
  });
  return {
    fresh: documents.filter(({ key }) => !known.has(key)),
    changes,
    unchanged: [...byId.values()],
    failed,
  };
}

/**
 * Imports a text of markdown documents in one transaction. Documents that can't be imported are reported by their index
 * and don't stop the others. The same text again changes nothing; two imports at once run one after the other.
 * @throws AppError 413 over 5 MiB.
 */
export async function importArticles(ctx: SiteContext, text: string): Promise<ImportResult> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const { fresh, changes, unchanged, failed } = await planImport(tx, text);
    if (fresh.length + changes.length > 0) {
      const version = await nextVersion(tx);
      await insertArticles(tx, fresh, version);
      await updateArticles(
        tx,
        changes.map(({ id, title, status, body }) => ({ id, title, status, body })),
        version,
      );
    }
    return { created: fresh.length, updated: changes.length, unchanged: unchanged.length, failed };
  });
}

/** What `importArticles` would do now, without doing it; of many documents the first IMPORT_PREVIEW_MAX. */
export async function previewImport(ctx: SiteContext, text: string): Promise<ImportPreview> {
  const { fresh, changes, unchanged, failed } = await planImport(ctx, text);
  const present = (outcome: ImportOutcome, { index, line, title, category, status }: ImportedDocument) => ({
    index,
    line,
    title,
    category,
    status: status ?? null,
    outcome,
  });
  const documents = [
    ...fresh.map(({ document }) => present('created', document)),
    ...changes.map(({ document }) => present('updated', document)),
    ...unchanged.map((document) => present('unchanged', document)),
  ];
  return {
    created: fresh.length,
    updated: changes.length,
    unchanged: unchanged.length,
    failed: failed.slice(0, IMPORT_PREVIEW_MAX),
    failed_count: failed.length,
    documents: documents.sort((one, other) => one.index - other.index).slice(0, IMPORT_PREVIEW_MAX),
  };
}
