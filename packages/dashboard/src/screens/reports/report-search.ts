import type { ReportSpan } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import {
  REPORT_DAYS_MAX,
  REPORT_RANGES,
  REPORTS,
  type ReportName,
  type ReportRange,
} from '@foyer/protocol/values/report-names';

/** The reports with a page of their own; comments stand with the satisfaction. */
export const REPORT_TABS = REPORTS.filter((name) => name !== 'comments');
export type ReportTab = Exclude<ReportName, 'comments'>;

/** What is in the address, so that a link shows a colleague the same. */
export interface ReportSearch {
  report?: ReportTab;
  range?: ReportRange;
  from?: string;
  to?: string;
  rating?: number;
}

const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

/** What of an address is a report; all else is left out. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const report = REPORT_TABS.find((one) => one === search.report);
  const range = REPORT_RANGES.find((one) => one === search.range);
  const rating = [1, 2, 3, 4, 5].find((one) => one === Number(search.rating));
  return {
    ...(report && report !== 'volume' ? { report } : {}),
    ...(range && range !== '30d' ? { range } : {}),
    ...(range === 'custom' && isDate(search.from) ? { from: search.from } : {}),
    ...(range === 'custom' && isDate(search.to) ? { to: search.to } : {}),
    ...(rating ? { rating } : {}),
  };
}

/** What the server is asked for; undefined while one's own dates are none. */
export function spanOf({ range = '30d', from, to }: ReportSearch): ReportSpan | undefined {
  if (range !== 'custom') return { range };
  if (!from || !to) return undefined;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days >= 1 && days <= REPORT_DAYS_MAX ? { range, from, to } : undefined;
}
