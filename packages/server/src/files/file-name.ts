import { FILE_NAME_MAX } from '@foyer/protocol';

/** Control characters, and those that turn or hide what stands beside them: `exe.gpj` must not read `jpg.exe`. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
/** What some system takes for more than a letter. */
const RESERVED = /[<>:"|?*]/g;
const NAMELESS = 'file';

/** Cuts in the middle of nothing: whole characters, the ending kept where it is one. */
function shortened(name: string): string {
  if (name.length <= FILE_NAME_MAX) return name;
  const ending = /\.[\p{L}\p{N}]{1,12}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, FILE_NAME_MAX - ending.length).replace(/[\ud800-\udbff]$/, '');
  return stem.trimEnd() + ending;
}

/** A name that a stranger gave, as it may stand on a page, in a header and on a disk: 1 to 200 characters, no path. */
export function cleanFileName(name: string): string {
  const last = name.toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    // What could not be seen may have stood between two.
    .replace(/ +/g, ' ')
    .replace(RESERVED, '_')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  return shortened(clean) || NAMELESS;
}

/** Of a type what can be one; it is told, never believed. */
export function cleanContentType(type: string | undefined): string {
  const bare = type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return bare.length <= 100 && /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(bare)
    ? bare
    : 'application/octet-stream';
}

/** RFC 6266, with the name in ASCII and as it is (RFC 8187). `inline` is only for images that the server has encoded. */
export function contentDisposition(name: string, form: 'attachment' | 'inline' = 'attachment'): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '_')
    .replace(/["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*!]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${form}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
