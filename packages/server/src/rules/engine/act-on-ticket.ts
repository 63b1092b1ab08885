import type { Rule } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { applyMacro, readyActions } from '../../tickets/macros/apply.ts';
import type { TicketRow } from '../../tickets/tickets.ts';
import { macroActionsOf } from './actions.ts';

/**
 * Runs a rule's actions on a locked ticket: all, or none if it throws. Those that only chats have are skipped.
 * @throws AppError for a change or reply that the ticket's state doesn't allow
 */
export async function actOnTicket(
  tx: SiteContext,
  row: TicketRow,
  { actions }: Pick<Rule, 'actions'>,
): Promise<void> {
  const own = macroActionsOf(actions);
  if (own.length > 0) await applyMacro(tx, row, await readyActions(tx, own));
}
