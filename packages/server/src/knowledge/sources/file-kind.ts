/** The kinds of files that can be read. */
export type FileKind = 'pdf' | 'docx';

/** How far from its beginning a PDF may have its signature. */
const PDF_WITHIN_BYTES = 1_024;
/** The signature of Microsoft's compound file: encrypted Office files, and Word's format before 2007. */
const COMPOUND = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');
const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
/** The entry that makes a ZIP file a Word document. Names of entries are never compressed. */
const WORD_ENTRY = Buffer.from('word/');

/** A file's kind by its content, whatever its name; undefined for unsupported files. */
export function fileKindOf(content: Buffer): FileKind | 'encrypted' | undefined {
  if (content.subarray(0, PDF_WITHIN_BYTES).includes('%PDF-')) return 'pdf';
  if (content.subarray(0, ZIP.length).equals(ZIP)) return content.includes(WORD_ENTRY) ? 'docx' : undefined;
  const isCompound = content.subarray(0, COMPOUND.length).equals(COMPOUND);
  return isCompound && content.includes(ENCRYPTED_STREAM) ? 'encrypted' : undefined;
}
