/** A fenced code block that is still open: which marker closes it, and how long that must be. */
export interface OpenFence {
  readonly marker: '`' | '~';
  readonly length: number;
  readonly indent: string;
  /** True when the fence is in a list item, which ends (and the fence with it) at an outdented line. */
  readonly inItem: boolean;
}

const OPENING = /^(\s*)((?:(?:[-*+]|\d{1,9}[.)])\s+)*)(`{3,}|~{3,})(.*)$/s;
const CODE_INDENT = 4;

/**
 * Follows CommonMark's fenced code from one line to the next: give the state before the line, get the
 * state after it. Fences in quotes are left out: each of their lines starts with `>`, so none of them
 * can be taken for a separator or a heading.
 */
export function fenceAfter(line: string, open: OpenFence | null): OpenFence | null {
  if (open === null) return openingFence(line);
  if (closes(line, open)) return null;
  const outdented = open.inItem && line.trim() !== '' && !/^\s{2}|^\t/.test(line);
  return outdented ? openingFence(line) : open;
}

/** The line that closes this fence. */
export function closingLine(open: OpenFence): string {
  return open.indent + open.marker.repeat(open.length);
}

function openingFence(line: string): OpenFence | null {
  const match = OPENING.exec(line);
  if (match === null) return null;
  const [, indent = '', listMarkers = '', run = '', info = ''] = match;
  const marker = run.startsWith('~') ? '~' : '`';
  if (marker === '`' && info.includes('`')) return null;
  return { marker, length: run.length, indent, inItem: listMarkers !== '' || indent.length >= CODE_INDENT };
}

function closes(line: string, open: OpenFence): boolean {
  const text = line.trim();
  if (text.length < open.length || text !== open.marker.repeat(text.length)) return false;
  const indent = line.length - line.trimStart().length;
  return open.inItem || indent < CODE_INDENT;
}
