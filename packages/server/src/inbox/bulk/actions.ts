import { type BulkChangeAction, TICKET_TAGS_MAX } from '@foyer/protocol';
import { AppError } from '../../base/errors.ts';
import { closeSession } from '../../conversations/closing.ts';
import { setTags, transferSession } from '../../conversations/desk.ts';
import { getSession, type SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { ensureTags } from '../../tags/tags.ts';
import { readyForMany, type TicketChangeOfMany } from '../../tickets/bulk.ts';

/** One change, ready for each chat and each ticket. */
interface ReadyBulkChange {
  ticket: TicketChangeOfMany;
  /** @throws AppError 409 for what a chat doesn't have. */
  chat(tx: SiteContext, before: SessionRow): Promise<SessionRow>;
}

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

async function retag(
  tx: SiteContext,
  before: SessionRow,
  wanted: (tags: readonly string[]) => string[],
): Promise<SessionRow> {
  const tags = wanted(before.tags);
  if (tags.length === before.tags.length && tags.every((name) => before.tags.includes(name))) return before;
  if (tags.length > TICKET_TAGS_MAX)
    throw new AppError('conflict', `A chat can have at most ${TICKET_TAGS_MAX} tags.`, {
      reason: 'chat_tags',
      values: { count: TICKET_TAGS_MAX },
    });
  await setTags(tx, before.session_id, tags, ensureTags);
  return getSession(tx, before.session_id);
}

async function changeChat(
  tx: SiteContext,
  before: SessionRow,
  change: BulkChangeAction,
): Promise<SessionRow> {
  switch (change.action) {
    case 'finish':
      return closeSession(tx, before.session_id);
    case 'assign':
      return transferSession(tx, before.session_id, change.assignee_id);
    case 'add_tags':
      return retag(tx, before, (tags) => [
        ...tags,
        ...change.tags.filter((name) => !tags.some((one) => sameName(one, name))),
      ]);
    case 'remove_tags':
      return retag(tx, before, (tags) =>
        tags.filter((name) => !change.tags.some((one) => sameName(one, name))),
      );
    default:
      throw new AppError('conflict', 'This works for tickets only.', {
        reason: 'bulk_not_for_chats',
      });
  }
}

/**
 * Looks up once what is the same for all.
 * @throws AppError 404, 400, 403 or 409 for what would be wrong for all of them: what the agent may not do to one, they
 * may not do to many.
 */
export async function readyBulkChange(ctx: SiteContext, change: BulkChangeAction): Promise<ReadyBulkChange> {
  const ticket = await readyForMany(
    ctx,
    change.action === 'finish' ? { action: 'set_status', status: 'solved' } : change,
  );
  return { ticket, chat: (tx, before) => changeChat(tx, before, change) };
}
