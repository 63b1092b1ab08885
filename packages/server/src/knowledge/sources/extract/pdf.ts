import { getDocumentProxy } from 'unpdf';
import { BODY_MAX_CHARS, type Extracted, extractedText } from './extracted.ts';
import { type PageLine, pagesAsMarkdown } from './pdf-layout.ts';

const PAGES_MAX = 500;

/** A piece of text as pdf.js reports it: its position and size. */
interface TextPiece {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  readonly transform: readonly number[];
}

/** The text of a PDF. Scans have none; a PDF that opens without a password is read whatever it forbids. */
export async function extractPdf(content: Buffer): Promise<Extracted> {
  const pdf = await getDocumentProxy(new Uint8Array(content), {
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
  }).catch((error: Error) => error);
  if (pdf instanceof Error) return { problem: pdf.name === 'PasswordException' ? 'encrypted' : 'damaged' };
  if (pdf.numPages > PAGES_MAX) return { problem: 'too_many_pages' };
  const pages: PageLine[][] = [];
  let chars = 0;
  for (let number = 1; number <= pdf.numPages && chars <= BODY_MAX_CHARS; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = linesOf(items.filter((item): item is TextPiece & typeof item => 'str' in item));
    chars += lines.reduce((sum, { text }) => sum + text.length, 0);
    pages.push(lines);
    page.cleanup();
  }
  const { title, markdown } = pagesAsMarkdown(pages);
  return extractedText(title, markdown);
}

/** Pieces of text as lines, each as large as its largest piece. */
function linesOf(pieces: readonly TextPiece[]): PageLine[] {
  const lines: PageLine[] = [];
  let text = '';
  let size = 0;
  let y = 0;
  for (const { str, hasEOL, height, transform } of pieces) {
    if (str.trim() !== '') {
      if (text.trim() === '') y = transform[5] ?? 0;
      size = Math.max(size, height);
    }
    text += str;
    if (!hasEOL) continue;
    if (text.trim() !== '') lines.push({ text: text.replace(/\s+/g, ' ').trim(), size, y });
    text = '';
    size = 0;
  }
  if (text.trim() !== '') lines.push({ text: text.replace(/\s+/g, ' ').trim(), size, y });
  return lines;
}
