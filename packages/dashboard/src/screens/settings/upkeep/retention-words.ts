import { t } from './t.ts';

export const YEAR_DAYS = 365;

/** 180 days stay days; whole years become years. */
export const lengthInWords = (days: number): string =>
  days % YEAR_DAYS === 0 ? t('keep_years', { count: days / YEAR_DAYS }) : t('keep_days', { count: days });
