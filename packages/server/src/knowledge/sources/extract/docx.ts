import mammoth from 'mammoth';
import { plainInline } from '../../../text/plain-text.ts';
import { type Extracted, extractedText } from './extracted.ts';
import { htmlConverter } from './html-markdown.ts';

/** Titles of Word documents are a style of their own, above the headings. */
const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];
const HEADING = '# ';

/** The text of a Word document, with its headings, lists, tables and links. Pictures aren't read. */
export async function extractDocx(content: Buffer): Promise<Extracted> {
  const options = {
    styleMap: STYLES,
    convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
    // Nothing outside of the file is read.
    externalFileAccess: false,
  };
  const { value: html } = await mammoth.convertToHtml({ buffer: content }, options);
  const markdown = htmlConverter().turndown(withTableHeads(html)).trim();
  const [first = ''] = markdown.split('\n', 1);
  const title = first.startsWith(HEADING) ? plainInline(first.slice(HEADING.length)) : null;
  return extractedText(title, markdown);
}

/** Word seldom marks the head row of a table; Markdown needs one, so it is the first. */
function withTableHeads(html: string): string {
  const [before = '', ...tables] = html.split('<table>');
  return [before, ...tables.map(withHead)].join('<table>');
}

function withHead(table: string): string {
  const end = table.indexOf('</tr>');
  return table.slice(0, end).replaceAll('<td', '<th').replaceAll('</td>', '</th>') + table.slice(end);
}
