import type { BulkChangeAction } from '@foyer/protocol';
import { AppError } from '../../base/errors.ts';
import { changeChatTags } from '../../conversations/chat-tags.ts';
import { transferSession } from '../../conversations/desk.ts';
import { closeByTeam } from '../../conversations/fields/chat-fields.ts';
import { setChatTeam } from '../../conversations/routing/chat-team.ts';
import type { SessionRow } from '../../conversations/sessions.ts';
import { snoozeChat } from '../../conversations/snooze/snooze.ts';
import { setChatSpam } from '../../conversations/spam/mark-chat.ts';
import type { SiteContext } from '../../core/context.ts';
import { readyForMany, type TicketChangeOfMany } from '../../tickets/bulk.ts';
import { type ReadyMacro, readyMacro } from '../../tickets/macros/apply.ts';
import { applyMacroToChat } from '../../tickets/macros/apply-to-chat.ts';

/** One change, prepared to be applied to each chat and ticket. */
interface ReadyBulkChange {
  ticket: TicketChangeOfMany;
  /** @throws AppError 409 for a change that chats don't have */
  chat(tx: SiteContext, before: SessionRow): Promise<SessionRow>;
}

async function changeChat(
  tx: SiteContext,
  before: SessionRow,
  change: BulkChangeAction,
  macro: ReadyMacro | undefined,
): Promise<SessionRow> {
  if (macro) return applyMacroToChat(tx, before, macro);
  switch (change.action) {
    case 'finish':
      return closeByTeam(tx, before.session_id);
    case 'assign':
      return transferSession(tx, before.session_id, change.assignee_id);
    case 'assign_team':
      return setChatTeam(tx, before, change.team_id);
    case 'add_tags':
      return changeChatTags(tx, before, { add: change.tags });
    case 'remove_tags':
      return changeChatTags(tx, before, { remove: change.tags });
    case 'snooze':
      return snoozeChat(tx, before.session_id, change.until_utc === null ? null : new Date(change.until_utc));
    case 'set_spam':
      return setChatSpam(tx, before, change.spam ? 'team' : null);
    default:
      throw new AppError('conflict', 'This works for tickets only.', {
        reason: 'bulk_not_for_chats',
      });
  }
}

/**
 * Prepares the parts that are the same for all records.
 * @throws AppError 404, 400, 403 or 409 for errors that would affect every record, including missing permission
 */
export async function readyBulkChange(ctx: SiteContext, change: BulkChangeAction): Promise<ReadyBulkChange> {
  const ticket = await readyForMany(
    ctx,
    change.action === 'finish' ? { action: 'set_status', status: 'solved' } : change,
  );
  const macro = change.action === 'apply_macro' ? await readyMacro(ctx, change.macro_id) : undefined;
  return { ticket, chat: (tx, before) => changeChat(tx, before, change, macro) };
}
