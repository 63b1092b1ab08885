import type { SpamMark } from '@foyer/protocol';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';

/** The columns of a chat or ticket that make it spam. */
export interface SpamColumns {
  spam_at: Date | null;
  /** Null if no agent marked it. */
  spam_by: number | null;
  spam_by_name: string | null;
  spam_reason: SpamMark['reason'] | null;
}

/** The stored columns of a mark. */
export type Mark = Pick<SpamColumns, 'spam_at' | 'spam_by' | 'spam_reason'>;

/** Only the mark of a chat or ticket. */
export const markIn = ({ spam_at, spam_by, spam_reason }: Mark): Mark => ({ spam_at, spam_by, spam_reason });

/** The name of the agent who marked this chat or ticket, as the column `spam_by_name`. Looked up for spam only. */
export const nameOfMarker = (
  record: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`case when ${record}.spam_by is not null then (
  select m.name from agents m where m.site_id = ${record}.site_id and m.id = ${record}.spam_by) end as spam_by_name`;

/** Null for what isn't spam. */
export function presentSpam({ spam_at, spam_by, spam_by_name, spam_reason }: SpamColumns): SpamMark | null {
  if (spam_at === null || spam_reason === null) return null;
  return {
    marked_utc: spam_at.toISOString(),
    reason: spam_reason,
    by: spam_by === null ? null : { id: spam_by, name: spam_by_name ?? '' },
  };
}

/** The condition that the chat of this row isn't spam, by its `conversation_id`. */
export const isNoSpam = (row: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`not exists (
  select from conversations s
  where s.site_id = ${row}.site_id and s.id = ${row}.conversation_id and s.spam_at is not null)`;

/** The mark of a chat, which a chat that follows it gets too: its visitor continues there. */
export async function markOf({ db, site }: SiteContext, conversationId: number): Promise<Mark> {
  return db
    .selectFrom('conversations')
    .select(['spam_at', 'spam_by', 'spam_reason'])
    .where('site_id', '=', site.id)
    .where('id', '=', conversationId)
    .executeTakeFirstOrThrow();
}

/** @throws AppError 409: a reply to spam would reveal to its sender that it was read */
export function refuseSpam(record: Pick<SpamColumns, 'spam_at'>): void {
  if (record.spam_at !== null)
    throw new AppError('conflict', 'This is marked as spam. Mark it as not spam first.', {
      reason: 'marked_spam',
    });
}
