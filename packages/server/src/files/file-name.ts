import { FILE_NAME_MAX } from '@foyer/protocol';

/** Control characters, and characters that reorder or hide text: `exe.gpj` must not read `jpg.exe`. */
const UNSEEN = /[\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
/** Characters with a special meaning on some system. */
const RESERVED = /[<>:"|?*]/g;
const NAMELESS = 'file';

/** Shortens a name without splitting a character, and keeps the extension. */
function shortened(name: string): string {
  if (name.length <= FILE_NAME_MAX) return name;
  const ending = /\.[\p{L}\p{N}]{1,12}$/u.exec(name)?.[0] ?? '';
  const stem = name.slice(0, FILE_NAME_MAX - ending.length).replace(/[\ud800-\udbff]$/, '');
  return stem.trimEnd() + ending;
}

/** A stranger's file name made safe for pages, headers and disks: 1 to 200 characters, no path. */
export function cleanFileName(name: string): string {
  const last = name.toWellFormed().split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    // Removing an invisible character may have left two spaces.
    .replace(/ +/g, ' ')
    .replace(RESERVED, '_')
    .replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
  return shortened(clean) || NAMELESS;
}

/** A content type if it has the form of one. It is only displayed, never trusted. */
export function cleanContentType(type: string | undefined): string {
  const bare = type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return bare.length <= 100 && /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/.test(bare)
    ? bare
    : 'application/octet-stream';
}

/**
 * RFC 6266, with an ASCII name and the exact one (RFC 8187). Use `inline` only for images that the server has
 * encoded.
 */
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
