import type { RawBuilder } from 'kysely';
import type { SiteContext } from './context.ts';

/** How one kind of data is deleted by age. Each domain says which of its rows are old, and what goes with them. */
export interface RetentionPolicy<Id = number> {
  /**
   * The table as `r`, with the condition that its rows are older than `before`, to follow a `from`. An index has to find
   * them by age, unless `scanById` is set.
   */
  old(ctx: SiteContext, before: Date): RawBuilder<unknown>;
  /** Rows per transaction: about 50 ms of work. */
  batch: number;
  /** The table, if no index has its age: a run then reads all of its rows by id, `batch` of them at a time. */
  scanById?: string;
  /** Deletes these locked rows, with everything that belongs to them, in the caller's transaction. */
  purge(tx: SiteContext, ids: readonly Id[], before: Date): Promise<void>;
}
