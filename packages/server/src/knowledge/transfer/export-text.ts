import type { ArticleStatus } from '@foyer/protocol';
import { closingLine, fenceAfter, type OpenFence } from './code-fence.ts';
import { isFrontMatter, linesOf } from './import-text.ts';

export interface ExportedArticle {
  readonly title: string;
  readonly category: string | null;
  readonly status: ArticleStatus;
  readonly body: string;
}

/** The separator between two articles of an export. */
export const EXPORT_SEPARATOR = '\n---\n\n';

/**
 * The articles as one text blob that `parseImport` reads: same titles, categories, states and bodies, the bodies in the
 * form of `canonicalBody`.
 */
export function formatExport(articles: readonly ExportedArticle[]): string {
  return articles.map(formatArticle).join(EXPORT_SEPARATOR);
}

/**
 * The form of a body in the text blob. It renders alike but has no line that the importer would mistake for something
 * else: `---` becomes `----` (the same rule or heading in markdown), an open code fence is closed, and a body of
 * nothing but `title:`-like pairs gets one colon escaped. An import compares bodies in this form, so that importing an
 * export changes nothing.
 */
export function canonicalBody(body: string): string {
  const lines: string[] = [];
  let open: OpenFence | null = null;
  for (const line of linesOf(body.trim())) {
    open = fenceAfter(line, open);
    const separates = open === null && line.trim() === '---';
    lines.push(separates ? line.replace('---', '----') : line);
  }
  // A fence in a list item ends with the item, so it needs no closing line.
  if (open !== null && !open.inItem) lines.push(closingLine(open));
  if (isFrontMatter(lines)) {
    const first = lines.findIndex((line) => line.includes(':'));
    lines[first] = lines[first]?.replace(':', '\\:') ?? '';
  }
  return lines.join('\n').trim();
}

function formatArticle(article: ExportedArticle): string {
  const front = [`title: ${quoted(article.title)}`];
  if (article.category !== null) front.push(`category: ${quoted(article.category)}`);
  front.push(`status: ${article.status}`);
  return `${front.join('\n')}\n---\n${canonicalBody(article.body)}\n`;
}

/** Front matter has one line per value, and the importer removes one pair of quotes. */
function quoted(value: string): string {
  const line = value.replace(/[\r\n]+/g, ' ').trim();
  return /^["']/.test(line) ? `"${line}"` : line;
}
