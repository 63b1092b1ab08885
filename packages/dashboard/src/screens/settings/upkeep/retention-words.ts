import { t } from './t.ts';

export const YEAR_DAYS = 365;

/** Half a year is 180 days, two years are two years. */
export const lengthInWords = (days: number): string =>
  days % YEAR_DAYS === 0 ? t('keep_years', { count: days / YEAR_DAYS }) : t('keep_days', { count: days });
