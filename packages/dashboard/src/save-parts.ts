import { saveFile } from './save-file.ts';

/** A part of an export from the server, of limited size, with the start of the next one. */
interface Part<After> {
  text: string;
  next: After | null;
}

/** Loads all parts of an export and offers them as one file. */
export async function saveParts<After>(
  name: string,
  type: string,
  partAfter: (after: { after?: After }) => Promise<Part<After>>,
): Promise<void> {
  const parts: string[] = [];
  let after: After | null = null;
  do {
    const part: Part<After> = await partAfter(after === null ? {} : { after });
    parts.push(part.text);
    after = part.next;
  } while (after !== null);
  saveFile(name, parts.join(''), type);
}

/** `visitors-2026-03-10.csv` */
export const datedName = (what: string, ending: string): string =>
  `${what}-${new Date().toISOString().slice(0, 10)}.${ending}`;
