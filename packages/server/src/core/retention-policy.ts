import type { RawBuilder } from 'kysely';
import type { SiteContext } from './context.ts';

/**
 * How one kind of data is deleted by age. Each domain defines which of its rows are old, and what is deleted with them.
 */
export interface RetentionPolicy<Id = number> {
  /**
   * The SQL after `from`: the table as `r`, with the condition that its rows are older than `before`. An index must
   * support that condition, unless `scanById` is set.
   */
  old(ctx: SiteContext, before: Date): RawBuilder<unknown>;
  /** Rows per transaction: about 50 ms of work. */
  batch: number;
  /** The table, if no index covers the age: a run then scans it by id, `batch` rows at a time. */
  scanById?: string;
  /** Deletes these locked rows and everything that belongs to them, in the caller's transaction. */
  purge(tx: SiteContext, ids: readonly Id[], before: Date): Promise<void>;
}
