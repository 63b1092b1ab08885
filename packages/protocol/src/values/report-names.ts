/** Days back from today, today among them; `month` from its first day on. */
export const REPORT_RANGES = ['today', '7d', '30d', '90d', 'month', 'custom'] as const;
export type ReportRange = (typeof REPORT_RANGES)[number];

export const REPORT_DAYS_MAX = 400;

export const REPORTS = [
  'volume',
  'responses',
  'hours',
  'bot',
  'satisfaction',
  'comments',
  'agents',
  'tags',
] as const;
export type ReportName = (typeof REPORTS)[number];
