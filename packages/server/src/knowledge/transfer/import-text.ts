import {
  ARTICLE_CATEGORY_MAX,
  ARTICLE_STATUSES,
  ARTICLE_TITLE_MAX,
  type ArticleStatus,
  type ImportFailure,
} from '@foyer/protocol';
import { plainInline } from '../../text/plain-text.ts';
import { fenceAfter, type OpenFence } from './code-fence.ts';

/** One document of an import blob, ready to become an article. */
export interface ImportedDocument {
  /** Index of the document in the blob, from 1; empty parts don't count. */
  readonly index: number;
  /** First line of the document in the blob, its front matter included, from 1. */
  readonly line: number;
  readonly title: string;
  readonly category: string | null;
  /** Undefined when the document doesn't give one: new articles become drafts, others keep theirs. */
  readonly status: ArticleStatus | undefined;
  readonly body: string;
}

/** The error of a document. */
type Fault = Pick<ImportFailure, 'message' | 'reason' | 'values'>;

interface ParsedImport {
  readonly documents: ImportedDocument[];
  readonly failed: ImportFailure[];
}

const PAIR = /^\s*(title|category|status)\s*:(.*)$/is;
const HEADING = /^\s{0,3}#[ \t]+(.*)$/s;
/** Longer heading lines can't be titles; they aren't parsed, so that they cost nothing. */
const HEADING_MAX = 2_000;

interface Part {
  readonly line: number;
  readonly lines: readonly string[];
}

interface Draft {
  readonly index: number;
  readonly line: number;
  readonly fields: ReadonlyMap<string, string[]>;
  readonly lines: readonly string[];
}

/**
 * Parses the importer's text: `docs/contract/decisions.md#kb-importer`. A document that can't be imported is reported by
 * its index and doesn't stop the others. Never throws.
 */
export function parseImport(text: string): ParsedImport {
  const documents: ImportedDocument[] = [];
  const failed: ImportFailure[] = [];
  const seen = new Map<string, ImportedDocument>();
  for (const draft of draftsOf(partsOf(text))) {
    const { index, line } = draft;
    const result = readDraft(draft);
    if ('reason' in result) {
      failed.push({ index, line, ...result });
      continue;
    }
    const key = articleKey(result.title, result.category);
    const twin = seen.get(key);
    if (twin !== undefined) {
      const message = `same title and category as document ${twin.index} (line ${twin.line})`;
      const values = { index: twin.index, line: twin.line };
      failed.push({ index, line, message, reason: 'same', values });
      continue;
    }
    seen.set(key, result);
    documents.push(result);
  }
  return { documents, failed };
}

/** A title, ignoring case. */
export function titleKey(title: string): string {
  // Upper before lower is JavaScript's nearest to Unicode case folding: ß meets SS, and ς meets σ.
  return title.trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** A category's name in its stored form. */
export function categoryName(category: string): string {
  return category.trim().normalize('NFC');
}

/** Equal for two articles that count as the same: by title, ignoring case, and category. */
export function articleKey(title: string, category: string | null): string {
  return JSON.stringify([titleKey(title), category === null ? null : categoryName(category)]);
}

/** Lines without BOM and with any of the three line ends. */
export function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
}

/** True when every non-empty line is a `title:`, `category:` or `status:` pair, and there is one. */
export function isFrontMatter(lines: readonly string[]): boolean {
  let pairs = 0;
  for (const line of lines) {
    if (line.trim() === '') continue;
    if (!PAIR.test(line)) return false;
    pairs += 1;
  }
  return pairs > 0;
}

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let open: OpenFence | null = null;
  let start = 0;
  const lines = linesOf(text);
  const close = (end: number): void => {
    let first = start;
    while (first < end && lines[first]?.trim() === '') first += 1;
    if (first < end) parts.push({ line: first + 1, lines: lines.slice(first, end) });
  };
  lines.forEach((line, at) => {
    open = fenceAfter(line, open);
    if (open !== null || line.trim() !== '---') return;
    close(at);
    start = at + 1;
  });
  close(lines.length);
  return parts;
}

/** Front matter belongs to the part after it; front matter alone is a document without a body. */
function draftsOf(parts: readonly Part[]): Draft[] {
  const drafts: Draft[] = [];
  let front: Part | null = null;
  const push = (body: Part | null): void => {
    const line = front?.line ?? body?.line ?? 1;
    drafts.push({ index: drafts.length + 1, line, fields: fieldsOf(front), lines: body?.lines ?? [] });
    front = null;
  };
  for (const part of parts) {
    if (!isFrontMatter(part.lines)) {
      push(part);
      continue;
    }
    if (front !== null) push(null);
    front = part;
  }
  if (front !== null) push(null);
  return drafts;
}

function fieldsOf(part: Part | null): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const line of part?.lines ?? []) {
    const match = PAIR.exec(line);
    if (match === null) continue;
    const name = (match[1] ?? '').toLowerCase();
    const value = unquoted((match[2] ?? '').trim());
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}

function unquoted(value: string): string {
  const quoted = value.length >= 2 && /^["']/.test(value) && value.at(-1) === value[0];
  return quoted ? value.slice(1, -1).trim() : value;
}

/** The error of a text that is longer than this many characters. */
export const tooLong = (what: string, reason: Fault['reason'], number: number): Fault => ({
  message: `${what} is longer than ${number} characters`,
  reason,
  values: { number },
});

function readDraft(draft: Draft): ImportedDocument | Fault {
  for (const [name, values] of draft.fields) {
    const number = values.length;
    if (number > 1)
      return {
        message: `${name} appears ${number} times`,
        reason: 'field_twice',
        values: { name, number },
      };
  }
  const [statusText = ''] = draft.fields.get('status') ?? [];
  const status = ARTICLE_STATUSES.find((known) => known === statusText);
  if (statusText !== '' && status === undefined) {
    const name = shortened(statusText);
    const message = `status must be Draft, Published or Archived, not "${name}"`;
    return { message, reason: 'status', values: { name } };
  }
  const category = draft.fields.get('category')?.[0] || null;
  if (category !== null && category.length > ARTICLE_CATEGORY_MAX) {
    return tooLong('category', 'category_long', ARTICLE_CATEGORY_MAX);
  }
  const { title, body } = titleAndBody(draft.lines, draft.fields.get('title')?.[0] ?? '');
  if (title === '')
    return {
      message: 'no title: add "title:" to the front matter, or a "# " heading',
      reason: 'title_none',
    };
  if (title.length > ARTICLE_TITLE_MAX) return tooLong('title', 'title_long', ARTICLE_TITLE_MAX);
  if (!storable(title + (category ?? '') + body))
    return { message: 'contains invalid characters', reason: 'characters' };
  return { index: draft.index, line: draft.line, title, category, status, body };
}

/**
 * A heading that gives the title is removed from the body if it comes first, so that the page doesn't show the title
 * twice. Further down it stays, because the text before it belongs to the article too.
 */
function titleAndBody(lines: readonly string[], given: string): { title: string; body: string } {
  const body = lines.join('\n').trim();
  if (given !== '') return { title: given, body };
  const heading = firstHeading(lines);
  if (heading === null) return { title: '', body };
  const leads = lines.slice(0, heading.at).every((line) => line.trim() === '');
  if (!leads) return { title: heading.text, body };
  return {
    title: heading.text,
    body: lines
      .slice(heading.at + 1)
      .join('\n')
      .trim(),
  };
}

function firstHeading(lines: readonly string[]): { at: number; text: string } | null {
  let open: OpenFence | null = null;
  for (const [at, line] of lines.entries()) {
    open = fenceAfter(line, open);
    if (open !== null) continue;
    const match = HEADING.exec(line);
    if (match === null) continue;
    const raw = (match[1] ?? '').replace(/(^|[ \t])#+[ \t]*$/, '').trim();
    const text = raw.length > HEADING_MAX ? raw : plainInline(raw);
    if (text !== '') return { at, text };
  }
  return null;
}

function storable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function shortened(value: string): string {
  return value.length > 40 ? `${value.slice(0, 40)}…` : value;
}
