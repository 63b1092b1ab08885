import { HOUR_MS } from '@foyer/protocol/values/durations';
import { PUBLIC_LIMITS, type PublicLimit } from '../src/limits/public-limits.ts';

const MARKS = /(?<=<!-- limits: npm run docs writes this table -->\n)[\s\S]*(?=<!-- end of limits -->)/;

const row = ({ what, per, max, windowMs, kind }: PublicLimit): string =>
  `| ${what} | ${per} | ${max.toLocaleString('en')} | ${windowMs === HOUR_MS ? 'hour' : 'minute'} | ${kind} |`;

/** docs/operations/limits.md with the table of the code's limits. */
export const withLimitTable = (page: string): string =>
  page.replace(
    MARKS,
    [
      '| what | per | at most | in a | counted as |',
      '|---|---|---|---|---|',
      ...Object.values(PUBLIC_LIMITS).map(row),
      '',
    ].join('\n'),
  );
