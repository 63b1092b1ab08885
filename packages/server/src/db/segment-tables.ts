import type { SegmentRule } from '@foyer/protocol';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Default<T> = ColumnType<T, T | undefined, T>;

interface Segments {
  site_id: number;
  id: Generated<number>;
  name: string;
  rule: JSONColumnType<SegmentRule, string, string>;
  size: Default<number>;
  filling: Default<string>;
  filled_to: Default<number>;
  filled_at: Date | null;
  touched_at: Date;
  deleted_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

interface SegmentMembers {
  site_id: number;
  segment_id: number;
  visitor_id: number;
  entered_at: Date;
}

interface SegmentDeltas {
  site_id: number;
  id: Generated<number>;
  segment_id: number;
  delta: number;
}

export interface SegmentTables {
  segments: Segments;
  segment_members: SegmentMembers;
  segment_deltas: SegmentDeltas;
}
