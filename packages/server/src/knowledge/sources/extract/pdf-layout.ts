import { escapeMarkdown } from '../../../text/plain-text.ts';

/** A line of a page. `size` is that of its letters, `y` its height above the page's lower edge, both in points. */
export interface PageLine {
  readonly text: string;
  readonly size: number;
  readonly y: number;
}

/** A line is a heading if it is larger than the text by this factor. */
const HEADING_SIZE = 1.15;
const HEADING_MAX_CHARS = 150;
const HEADING_LEVELS = 3;
/** A new paragraph begins after a distance of more than this many letter heights. */
const PARAGRAPH_GAP = 1.7;
/** On fewer pages, a repeated line may be content. */
const REPEATED_FROM_PAGES = 4;
const REPEATED_SHARE = 0.5;
/** Lines from the top and from the bottom of a page that may be its header or footer. */
const EDGE_LINES = 3;

const BULLET = /^[•◦▪‣●○■–—-]\s+/u;
const NUMBER = /^\d{1,3}[.)]\s+/;

const rounded = (size: number): number => Math.round(size * 2) / 2;

/**
 * Pages as Markdown: headings by their size, paragraphs by their distance, lists by their marks. Lines that most pages
 * repeat at the same height, such as page numbers, are dropped. `title` is a heading on top of the first page.
 */
export function pagesAsMarkdown(pages: readonly (readonly PageLine[])[]): {
  title: string | null;
  markdown: string;
} {
  const kept = withoutRepeated(pages);
  const levels = headingLevels(kept.flat());
  const levelOf = ({ size, text }: PageLine): number =>
    text.length <= HEADING_MAX_CHARS && /\p{L}/u.test(text) ? (levels.get(rounded(size)) ?? 0) : 0;
  const blocks: { level: number; text: string }[] = [];
  for (const lines of kept) {
    let before: PageLine | undefined;
    for (const line of lines) {
      const level = levelOf(line);
      const last = blocks.at(-1);
      if (last && before && last.level === level && continues(before, line))
        last.text = joined(last.text, line.text);
      else blocks.push({ level, text: line.text });
      before = line;
    }
  }
  const [first] = blocks;
  return {
    title: first && first.level > 0 ? first.text : null,
    markdown: blocks
      .map(({ level, text }) => (level > 0 ? `${'#'.repeat(level)} ${escapeMarkdown(text)}` : blockOf(text)))
      .join('\n\n'),
  };
}

function continues(before: PageLine, line: PageLine): boolean {
  if (BULLET.test(line.text) || NUMBER.test(line.text)) return false;
  const gap = before.y - line.y;
  return gap >= 0 && gap <= PARAGRAPH_GAP * Math.max(before.size, line.size, 1);
}

/** Joins a word that was hyphenated at the end of a line. */
function joined(text: string, next: string): string {
  return /\p{L}-$/u.test(text) && /^\p{Ll}/u.test(next) ? text.slice(0, -1) + next : `${text} ${next}`;
}

function blockOf(text: string): string {
  if (BULLET.test(text)) return `- ${escapeMarkdown(text.replace(BULLET, ''))}`;
  const number = NUMBER.exec(text)?.[0];
  if (number !== undefined)
    return `${number.trim().replace(')', '.')} ${escapeMarkdown(text.slice(number.length))}`;
  return escapeMarkdown(text);
}

/** The larger sizes, the largest first, as levels from 1; the text's own size is the one that most letters have. */
function headingLevels(lines: readonly PageLine[]): Map<number, number> {
  const letters = new Map<number, number>();
  for (const { size, text } of lines)
    letters.set(rounded(size), (letters.get(rounded(size)) ?? 0) + text.length);
  const [body = 0] = [...letters].toSorted((one, other) => other[1] - one[1])[0] ?? [];
  const larger = [...letters.keys()].filter((size) => size >= body * HEADING_SIZE).toSorted((a, b) => b - a);
  return new Map(larger.map((size, at) => [size, Math.min(at + 1, HEADING_LEVELS)]));
}

function withoutRepeated(pages: readonly (readonly PageLine[])[]): PageLine[][] {
  if (pages.length < REPEATED_FROM_PAGES) return pages.map((lines) => [...lines]);
  const keyOf = ({ text, y }: PageLine): string => `${Math.round(y)} ${text.replace(/\d+/g, '#')}`;
  const isEdge = (at: number, count: number): boolean => at < EDGE_LINES || at >= count - EDGE_LINES;
  const times = new Map<string, number>();
  for (const lines of pages) {
    const edges = new Set(lines.filter((_, at) => isEdge(at, lines.length)).map(keyOf));
    for (const key of edges) times.set(key, (times.get(key) ?? 0) + 1);
  }
  const isRepeated = (line: PageLine): boolean =>
    (times.get(keyOf(line)) ?? 0) > pages.length * REPEATED_SHARE;
  return pages.map((lines) => lines.filter((line, at) => !isEdge(at, lines.length) || !isRepeated(line)));
}
