import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { type CsvCell, csvText } from '../../base/csv.ts';
import type { SiteContext } from '../../core/context.ts';
import { type SegmentNames, segmentNames } from '../present.ts';
import type { VisitorRow } from '../rows.ts';
import { pageOfVisitors } from './list.ts';

/** Visitors per part of an export. */
const EXPORT_ROWS = 2_000;

const HEAD = [
  'key',
  'name',
  'email',
  'verified_utc',
  'blocked_utc',
  'first_seen_utc',
  'last_seen_utc',
  'events',
  'segments',
];

const cellOf = (value: unknown): CsvCell => {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  return JSON.stringify(value);
};

const lineOf = (row: VisitorRow, names: SegmentNames, columns: readonly string[]): CsvCell[] => [
  row.key,
  row.name,
  row.email,
  row.verified_at?.toISOString() ?? null,
  row.blocked_at?.toISOString() ?? null,
  row.first_seen_at.toISOString(),
  row.last_seen_at.toISOString(),
  row.event_count,
  row.segment_ids.flatMap((id) => names.get(id) ?? []).join(', '),
  ...columns.map((name) => cellOf(Object.hasOwn(row.attributes, name) ? row.attributes[name] : null)),
];

/**
 * The visitors selected by a filter as CSV, newest first, in parts of limited size; only the first has the header
 * row.
 */
export async function exportVisitors(
  ctx: SiteContext,
  { after, columns, ...filter }: ParsedInputOf<'visitors.export'>,
): Promise<OutputOf<'visitors.export'>> {
  const page = { ...filter, limit: EXPORT_ROWS, sort: '-created', cursor: after } as const;
  const { rows, next } = await pageOfVisitors(ctx, page, sql<VisitorRow>`v.*`);
  const names = await segmentNames(ctx.db, ctx.site.id, rows);
  const lines = rows.map((row) => lineOf(row, names, columns));
  const text = csvText(after === undefined ? [[...HEAD, ...columns], ...lines] : lines);
  // Only the beginning of a file has the byte order mark.
  return { text: after === undefined ? text : text.slice(1), next };
}
