import { type Block, blocksOf, type Line } from '../../text/plain-text.ts';

/** A part of an article under one heading: the unit of search and of answers. */
export interface Passage {
  readonly articleId: number;
  readonly title: string;
  /** The headings above it, outermost first, without the article's title. */
  readonly headings: readonly string[];
  /** Its plain text, one paragraph, item or row per line. */
  readonly text: string;
  /** Its source in the article. */
  readonly markdown: string;
  readonly lines: readonly Line[];
}

interface SplittableArticle {
  readonly id: number;
  readonly title: string;
  readonly body: string;
}

/** About what one answer needs; longer sections are split between paragraphs, items or lines. */
const PASSAGE_MAX_CHARS = 1_000;
/** Text beyond this is not searched, which bounds the index's memory. */
const INDEXED_MAX_CHARS = 200_000;

/** Splits a markdown article by its headings; an article without text becomes one empty passage. */
export function splitArticle(article: SplittableArticle): Passage[] {
  const body = article.body.slice(0, INDEXED_MAX_CHARS).toWellFormed();
  const source = body.split('\n');
  const passages: Passage[] = [];
  const headings: { level: number; text: string }[] = [];
  let section: Block[] = [];
  const close = (): void => {
    const path = headings.map((heading) => heading.text).filter((text) => text !== article.title);
    for (const blocks of portions(section)) {
      const lines = blocks.flatMap((block) => block.lines);
      passages.push({
        articleId: article.id,
        title: article.title,
        headings: path,
        text: lines.map(lineText).join('\n'),
        markdown: markdownOf(source, blocks),
        lines,
      });
    }
    section = [];
  };
  for (const block of blocksOf(body)) {
    if (block.level === 0) {
      section.push(block);
      continue;
    }
    close();
    while ((headings.at(-1)?.level ?? 0) >= block.level) headings.pop();
    headings.push({ level: block.level, text: block.lines.map(lineText).join(' ') });
  }
  close();
  if (passages.length > 0) return passages;
  const path = headings.map((heading) => heading.text);
  const empty = { articleId: article.id, title: article.title, headings: path };
  return [{ ...empty, text: '', markdown: '', lines: [] }];
}

/** The line's sentences, joined by one space each. */
export function lineText(line: Line): string {
  return line.sentences.map((sentence) => sentence.text).join(' ');
}

/** The blocks of a section, grouped into portions of about a passage's size. */
function portions(section: readonly Block[]): Block[][] {
  const result: Block[][] = [];
  let size = 0;
  for (const block of section.flatMap(smaller)) {
    const length = sizeOf(block);
    const last = result.at(-1);
    if (last === undefined || size + length > PASSAGE_MAX_CHARS) {
      result.push([block]);
      size = length;
    } else {
      last.push(block);
      size += length;
    }
  }
  return result;
}

/** Splits a block that is too long: by lines, and a line that is too long by sentences. */
function smaller(block: Block): Block[] {
  if (sizeOf(block) <= PASSAGE_MAX_CHARS) return [block];
  return block.lines.flatMap((line) => {
    const parts =
      lineText(line).length > PASSAGE_MAX_CHARS ? line.sentences.map((one) => [one]) : [line.sentences];
    return parts.map((sentences) => ({ ...block, lines: [{ ...line, sentences }] }));
  });
}

function sizeOf(block: Block): number {
  return block.lines.reduce((sum, line) => sum + lineText(line).length, 0);
}

/** Whole blocks as written in the source; parts of a block from their sentences. */
function markdownOf(source: readonly string[], blocks: readonly Block[]): string {
  const parts = blocks.map((block, at) => {
    const whole = block.lines.length > 1 || sizeOf(block) < PASSAGE_MAX_CHARS;
    const shared = blocks.some((other, index) => index !== at && other.start === block.start);
    if (whole && !shared) return source.slice(block.start, block.end).join('\n').trim();
    return block.lines
      .map((line) => line.marker + line.sentences.map((sentence) => sentence.markdown).join(' '))
      .join('\n');
  });
  return parts.join('\n\n');
}
