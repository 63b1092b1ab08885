import type { Generated, JSONColumnType } from 'kysely';

interface ReportMarks {
  site_id: number;
  id: Generated<number>;
  record: string;
}

interface ReportSites {
  site_id: number;
  time_zone: string;
  chats_below: number | null;
  tickets_below: number | null;
  counted_at: Date | null;
}

/** What one record adds to the sums; `reports/measures.ts` names the measures. */
type StoredCount = readonly [
  measure: string,
  day: string,
  subject: string,
  bucket: number,
  count: number,
  total: number,
];

interface ReportCounted {
  site_id: number;
  record: string;
  counts: JSONColumnType<StoredCount[], string, string>;
}

interface ReportDays {
  site_id: number;
  measure: string;
  day: string;
  subject: string;
  bucket: number;
  count: number;
  total: number;
}

export interface ReportTables {
  report_marks: ReportMarks;
  report_sites: ReportSites;
  report_counted: ReportCounted;
  report_days: ReportDays;
}
