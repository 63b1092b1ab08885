import type { RawBuilder } from 'kysely';
import type { SiteContext } from '../context.ts';

/** A kind of data that goes by its age: each domain says what is old of its own, and how it goes. */
export interface KeptKind<Id = number> {
  /**
   * The table as `r` with the condition by which its rows are older than `before`, for behind a `from`. Of what an
   * index has by age, unless `walked`.
   */
  old(ctx: SiteContext, before: Date): RawBuilder<unknown>;
  /** How many rows go in one transaction: some 50 ms of work. */
  batch: number;
  /** No index has the age: a run walks over all rows of this table by their ids, `batch` of them at a time. */
  walked?: string;
  /** Deletes these, which are locked, with all that belongs to them, in the caller's transaction. */
  forget(tx: SiteContext, ids: readonly Id[], before: Date): Promise<void>;
}
