import { crc32, deflateRawSync } from 'node:zlib';

/** A line of a PDF: its text, and the size of its letters in points. */
interface PdfLine {
  readonly text: string;
  readonly size?: number;
}

const LEFT = 72;
const TOP = 760;
const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&');

/** Lines from the top; those with their own size have more space above. */
function contentOf(lines: readonly PdfLine[]): string {
  let y = TOP;
  const drawn = lines.map(({ text, size = 11 }) => {
    y -= size === 11 ? 14 : size * 2.5;
    return `BT /F1 ${size} Tf 1 0 0 1 ${LEFT} ${y} Tm (${escaped(text)}) Tj ET`;
  });
  return drawn.join('\n');
}

/**
 * A PDF with these lines on its pages. A page without lines has only a drawing, like a scan.
 * @param encrypt with a random password
 */
export function makePdf(pages: readonly (readonly PdfLine[])[], { encrypt = false } = {}): Buffer {
  const objects: string[] = ['', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'];
  const pageNumbers: number[] = [];
  for (const lines of pages) {
    const content = lines.length > 0 ? contentOf(lines) : '100 100 200 200 re f';
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 1 0 R /MediaBox [0 0 612 842] /Resources << /Font << /F1 2 0 R >> >> /Contents ${objects.length} 0 R >>`,
    );
    pageNumbers.push(objects.length);
  }
  objects[0] = `<< /Type /Pages /Kids [${pageNumbers.map((number) => `${number} 0 R`).join(' ')}] /Count ${pages.length} >>`;
  objects.push('<< /Type /Catalog /Pages 1 0 R >>');
  const root = objects.length;
  const key = 'ab'.repeat(32);
  if (encrypt) objects.push(`<< /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`);
  const trailer = encrypt ? `/Encrypt ${objects.length} 0 R /ID [<${key}> <${key}>]` : '';
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root ${root} 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

/** A ZIP file with these entries, compressed. */
export function makeZip(entries: Readonly<Record<string, string | Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(entries)) {
    const raw = Buffer.from(content);
    const packed = deflateRawSync(raw);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(raw), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(raw.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), about, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, listed, Buffer.from('PK\x05\x06'), end]);
}

const TYPES = `<?xml version="1.0" encoding="UTF-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`;
const RELATIONS = `<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>`;
const STYLES = `<?xml version="1.0" encoding="UTF-8"?>
<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">
<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style>
</w:styles>`;
const DOCUMENT_RELATIONS = `<?xml version="1.0" encoding="UTF-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>
</Relationships>`;

/** A paragraph of a Word document; without a style, it is text. */
interface Paragraph {
  readonly text: string;
  readonly style?: 'Title' | 'Heading1' | 'Heading2';
}

/** The entries of a Word document. @param body XML of paragraphs and tables */
export const docxEntries = (body: string | Buffer): Record<string, string | Buffer> => ({
  '[Content_Types].xml': TYPES,
  '_rels/.rels': RELATIONS,
  'word/document.xml': Buffer.concat([
    Buffer.from(
      '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>',
    ),
    Buffer.from(body),
    Buffer.from('</w:body></w:document>'),
  ]),
  'word/styles.xml': STYLES,
  'word/_rels/document.xml.rels': DOCUMENT_RELATIONS,
});

/** A Word document with these paragraphs, and a table behind them. */
export function makeDocx(
  paragraphs: readonly Paragraph[],
  table: readonly (readonly string[])[] = [],
): Buffer {
  const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const drawn = paragraphs.map(({ text, style }) => {
    const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
    return `<w:p>${properties}${run(text)}</w:p>`;
  });
  const rows = table.map(
    (cells) => `<w:tr>${cells.map((text) => `<w:tc><w:p>${run(text)}</w:p></w:tc>`).join('')}</w:tr>`,
  );
  const tables = rows.length > 0 ? `<w:tbl>${rows.join('')}</w:tbl>` : '';
  return makeZip(docxEntries(drawn.join('') + tables));
}

/** Uploads a file for the bot to answer from, as the desk does. */
export const putKnowledgeFile = (
  url: string,
  cookie: string,
  { name, content, origin = url }: { name: string; content: Buffer; origin?: string },
): Promise<Response> =>
  fetch(`${url}/app/knowledge-files?name=${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: { cookie, origin },
    body: new Uint8Array(content),
  });
