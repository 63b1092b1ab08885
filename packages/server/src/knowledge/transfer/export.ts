import { IMPORT_MAX_BYTES, type OutputOf, type ParsedInputOf } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { articlesOf } from '../articles/articles.ts';
import { EXPORT_SEPARATOR, formatExport } from './export-text.ts';

/** Articles that are read at a time; each may be ARTICLE_BODY_MAX long. */
const CHUNK_ARTICLES = 100;

/**
 * The site's articles as text for an import, oldest first, as many as one import accepts. Importing all parts, one by
 * one, restores all of them.
 */
export async function exportArticles(
  ctx: SiteContext,
  { after }: ParsedInputOf<'articles.export'>,
): Promise<OutputOf<'articles.export'>> {
  let last = after ?? 0;
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const rows = await articlesOf(ctx)
      .where('articles.id', '>', last)
      .orderBy('articles.id')
      .limit(CHUNK_ARTICLES)
      .execute();
    for (const row of rows) {
      const part = formatExport([row]);
      const size = Buffer.byteLength(part) + EXPORT_SEPARATOR.length;
      if (bytes + size > IMPORT_MAX_BYTES && parts.length > 0)
        return {
          text: parts.join(EXPORT_SEPARATOR),
          articles: parts.length,
          next: last,
        };
      parts.push(part);
      bytes += size;
      last = row.id;
    }
    if (rows.length < CHUNK_ARTICLES) break;
  }
  return { text: parts.join(EXPORT_SEPARATOR), articles: parts.length, next: null };
}
