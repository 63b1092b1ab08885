import pg from 'pg';

const [SPACE, PLUS, DASH, DOT, COLON] = [32, 43, 45, 46, 58];
const HOUR_MS = 3_600_000;
/** The oid of the type. */
export const TIMESTAMPTZ = 1184;

const readAny: (text: string) => Date | number = pg.types.getTypeParser(TIMESTAMPTZ);

/** The number of two digits. */
const two = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;

/**
 * A `timestamptz` as PostgreSQL writes it in whole hours from UTC: `2026-12-01 17:12:34.5+00`. A row of a list has seven
 * or more, and the driver's expression takes four times as long; it reads all others, such as years beyond 9999.
 */
export function readTimestamp(text: string): Date | number {
  const zone = text.length - 3;
  const sign = text.charCodeAt(zone);
  const isUsual =
    text.charCodeAt(4) === DASH &&
    text.charCodeAt(10) === SPACE &&
    text.charCodeAt(16) === COLON &&
    (zone === 19 || text.charCodeAt(19) === DOT) &&
    (sign === PLUS || sign === DASH) &&
    // `Date.UTC` takes years before 100 for those of the twentieth century.
    !text.startsWith('00');
  if (!isUsual) return readAny(text);
  const ms = zone === 19 ? 0 : Number(text.slice(20, Math.min(zone, 23)).padEnd(3, '0'));
  const offset = two(text, zone + 1) * (sign === PLUS ? HOUR_MS : -HOUR_MS);
  return new Date(
    Date.UTC(
      two(text, 0) * 100 + two(text, 2),
      two(text, 5) - 1,
      two(text, 8),
      two(text, 11),
      two(text, 14),
      two(text, 17),
      ms,
    ) - offset,
  );
}
