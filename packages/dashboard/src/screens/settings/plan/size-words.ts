import { locale } from '../../../language.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1000;

/** A size in its largest sensible unit: `312 kB`, `4.2 MB`. */
export function sizeInWords(bytes: number): string {
  const at = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)));
  const number = bytes / STEP ** at;
  return new Intl.NumberFormat(locale(), {
    style: 'unit',
    unit: UNITS[at] ?? 'byte',
    // The short form would be "100 byte".
    unitDisplay: at === 0 ? 'long' : 'short',
    maximumFractionDigits: number < 10 && at > 0 ? 1 : 0,
  }).format(number);
}
