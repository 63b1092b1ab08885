import { type Node, Slice } from 'prosemirror-model';
import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { parseApart } from '../../policy/trusted.ts';
import type { Dialect } from '../markdown/dialect.ts';
import { MarkdownText } from '../markdown/markdown-text.ts';
import { readBlocks } from '../markdown/read.ts';
import { schema } from '../schema.ts';
import { hasPictureData, insertPictures, picturesIn, type Upload, withUploaded } from '../uploads.ts';
import { cleanHtml } from './clean.ts';

const { nodes } = schema;

/** Text that people only write if they mean markdown. */
const BLOCK = /^(?:#{1,6} \S|[-*+] \S|\d{1,3}[.)] \S|> \S|```)/m;
const BOLD = /\*\*\S/;
const isTableRow = (line: string): boolean =>
  line.startsWith('|') && line.length > 1 && line.trimEnd().endsWith('|');
const isMarkdown = (text: string): boolean =>
  BLOCK.test(text) || BOLD.test(text) || text.includes('](') || text.split('\n').some(isTableRow);

/** The paragraphs and lines of a text, unformatted. */
const linesOf = (text: string): Node[] =>
  text
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => {
      const lines = paragraph.split(/\r?\n/);
      const content = lines.flatMap((line, at) => [
        ...(at > 0 ? [nodes.hard_break.create()] : []),
        ...(line ? [schema.text(line)] : []),
      ]);
      return nodes.paragraph.create(null, content);
    });

const fromPlain = (text: string, dialect: Dialect): Node[] =>
  isMarkdown(text) ? readBlocks(text, dialect).blocks.map(({ node }) => node) : linesOf(text);

export const sliceOf = (blocks: readonly Node[]): Slice => {
  const { content } = nodes.doc.create(null, [...blocks]);
  const open = (node: Node | null): number => (node?.type === nodes.paragraph ? 1 : 0);
  return new Slice(content, open(content.firstChild), open(content.lastChild));
};

/** Whether the clipboard's files were copied themselves: Word adds a picture of copied text. */
function copiedPictures(data: DataTransfer | null): File[] {
  const pictures = picturesIn(data?.files ?? []);
  const html = data?.getData('text/html') ?? '';
  return parseApart(html).body.textContent?.trim() ? [] : pictures;
}

function pasteInto(view: EditorView, event: ClipboardEvent, upload: Upload | undefined): boolean {
  // Without `upload`, files are left to the surrounding component, unless there is text with them.
  if (!upload) return hasFiles(event.clipboardData) && !event.clipboardData?.getData('text/plain');
  const pictures = copiedPictures(event.clipboardData);
  if (pictures.length > 0) {
    insertPictures(view, pictures, view.state.selection.from, upload);
    return true;
  }
  const html = event.clipboardData?.getData('text/html') ?? '';
  if (!hasPictureData(html)) return false;
  void withUploaded(html, upload).then((ready) => view.isDestroyed || view.pasteHTML(ready));
  return true;
}

const hasFiles = (data: DataTransfer | null): boolean => (data?.files.length ?? 0) > 0;

function dropInto(view: EditorView, event: DragEvent, upload: Upload | undefined): boolean {
  if (!upload) return hasFiles(event.dataTransfer);
  const pictures = picturesIn(event.dataTransfer?.files ?? []);
  if (pictures.length === 0) return false;
  event.preventDefault();
  const place = view.posAtCoords({ left: event.clientX, top: event.clientY });
  insertPictures(view, pictures, place?.pos ?? view.state.selection.from, upload);
  return true;
}

/**
 * Handles pasted and dropped HTML, markdown, plain text and images. Copying to plain text gives markdown. Without
 * `upload`, files are left to the surrounding component.
 */
export const pasting = (dialect: Dialect, upload?: Upload): Plugin =>
  new Plugin({
    props: {
      transformPastedHTML: (html) => cleanHtml(html, dialect.follows),
      // With Shift, text is pasted unformatted.
      clipboardTextParser: (text, _context, plain) =>
        sliceOf(plain ? linesOf(text) : fromPlain(text, dialect)),
      clipboardTextSerializer: ({ content }) => {
        const isInline = content.firstChild?.isInline ?? true;
        const blocks = isInline ? [nodes.paragraph.create(null, content)] : content.content;
        const single = blocks.length === 1 && blocks[0]?.isTextblock;
        return single
          ? (blocks[0]?.textContent ?? '')
          : new MarkdownText(dialect).write(nodes.doc.create(null, [...blocks]));
      },
      handlePaste: (view, event) => pasteInto(view, event, upload),
      handleDrop: (view, event, _slice, moved) => !moved && dropInto(view, event, upload),
    },
  });
