import {
  type Macro,
  type MacroAction,
  type PlaceholderValues,
  type ReplyAuthor,
  TICKET_TEXT_MAX,
} from '@foyer/protocol';
import { AppError } from '../../base/errors.ts';
import { minutesFrom } from '../../conversations/snooze/snooze-times.ts';
import type { SiteContext } from '../../core/context.ts';
import { areAgents } from '../../sites/agents/assignable.ts';
import { ensureTags } from '../../tags/tags.ts';
import { changeTicket, reportChange } from '../changes.ts';
import { authorOf } from '../replies/authors.ts';
import { addReply } from '../replies/replies.ts';
import { snoozeTicket } from '../snooze.ts';
import { requesterOf, type TicketRow } from '../tickets.ts';
import { type ActionSubject, actOutside } from './act-outside.ts';
import { filledText, valuesOfTicket } from './filled-text.ts';
import { assigneesOf, getMacro } from './macros.ts';

/** A macro with everything that its actions need and that is the same for every ticket. */
export interface ReadyMacro {
  actions: readonly MacroAction[];
  author: ReplyAuthor;
  siteName: string;
}

async function nameOfSite({ db, site }: SiteContext): Promise<string> {
  const row = await db.selectFrom('sites').select('name').where('id', '=', site.id).executeTakeFirst();
  return row?.name ?? '';
}

/** @throws AppError 409 for a macro that assigns to a removed agent */
async function checkAssignees(ctx: SiteContext, { name, actions }: Macro): Promise<void> {
  if (await areAgents(ctx, assigneesOf(actions))) return;
  throw new AppError(
    'conflict',
    `The macro ${JSON.stringify(name)} assigns to an agent who is no longer on the team. Edit the macro first.`,
    { reason: 'macro_agent_gone', values: { name } },
  );
}

/** @throws AppError 404 for an unknown macro, 409 for one that can't be applied to any ticket */
export async function readyMacro(ctx: SiteContext, id: number): Promise<ReadyMacro> {
  const macro = await getMacro(ctx, id);
  await checkAssignees(ctx, macro);
  return readyActions(ctx, macro.actions);
}

/** The same for actions that belong to no macro: those of a rule. */
export const readyActions = async (
  ctx: SiteContext,
  actions: readonly MacroAction[],
): Promise<ReadyMacro> => ({ actions, author: await authorOf(ctx), siteName: await nameOfSite(ctx) });

/** Automatic replies are signed by the ticket's assignee, or else by the site. */
const signature = ({ author, siteName }: ReadyMacro, row: TicketRow): string =>
  (author.type === 'agent' ? author.name : row.assignee_name) ?? siteName;

const valuesOf = (macro: ReadyMacro, row: TicketRow): PlaceholderValues =>
  valuesOfTicket(row, { agentName: signature(macro, row), siteName: macro.siteName });

/** A ticket as an action that doesn't change it sees it. */
const subjectOf = (macro: ReadyMacro, row: TicketRow): ActionSubject => ({
  ticketId: row.id,
  sessionId: null,
  visitor: requesterOf(row),
  values: valuesOf(macro, row),
});

async function act(
  tx: SiteContext,
  row: TicketRow,
  macro: ReadyMacro,
  action: MacroAction,
): Promise<TicketRow> {
  switch (action.type) {
    case 'reply':
    case 'note': {
      const type = action.type === 'reply' ? 'public' : 'note';
      const body = filledText(action.body, valuesOf(macro, row), TICKET_TEXT_MAX);
      return (await addReply(tx, row, { type, body, author: macro.author })).row;
    }
    case 'set_status':
      return changeTicket(tx, row, { status: action.status });
    case 'set_priority':
      return changeTicket(tx, row, { priority: action.priority });
    case 'assign':
      return changeTicket(tx, row, { assignee_id: action.assignee_id });
    case 'assign_team':
      return changeTicket(tx, row, { team_id: action.team_id });
    case 'add_tags':
      return changeTicket(tx, row, { add_tags: action.tags });
    case 'remove_tags':
      return changeTicket(tx, row, { remove_tags: action.tags });
    case 'snooze':
      return snoozeTicket(tx, row, minutesFrom(tx.now(), action.minutes));
    case 'set_field':
      return changeTicket(tx, row, { fields: { [action.field]: action.value } });
    case 'send_email':
    case 'call_webhook':
    case 'block':
      await actOutside(tx, subjectOf(macro, row), action);
      return row;
  }
}

/** The same transaction, without reporting the intermediate changes of the ticket. */
function withoutUpdates(tx: SiteContext): SiteContext {
  const quiet: SiteContext = {
    site: tx.site,
    actor: tx.actor,
    db: tx.db,
    services: tx.services,
    caller: tx.caller,
    proof: tx.proof,
    get log() {
      return tx.log;
    },
    now: () => tx.now(),
    transaction: (work) => work(quiet),
    as: (actor) => withoutUpdates(tx.as(actor)),
    uncounted: () => withoutUpdates(tx.uncounted()),
    at: (site, actor) => tx.at(site, actor),
    quietly: () => tx.quietly(),
    cause: tx.cause,
    causedBy: (cause) => withoutUpdates(tx.causedBy(cause)),
    attempt: (work) => tx.attempt((inner) => work(withoutUpdates(inner))),
    fromReplica: (work) => tx.fromReplica(work),
    emit: async (event) => {
      if (event.webhook?.event !== 'ticket_updated') await tx.emit(event);
    },
    emitAll: (events) => tx.emitAll(events.filter(({ webhook }) => webhook?.event !== 'ticket_updated')),
    newChange: () => tx.newChange(),
    enqueue: (name, data, options) => tx.enqueue(name, data, options),
  };
  return quiet;
}

/**
 * Applies a macro's actions in order to a locked ticket, in the caller's transaction: all, or none if it throws.
 * The ticket's change is reported once; each reply is reported separately.
 * @throws AppError 409 for a change or reply that the ticket's state doesn't allow
 */
export async function applyMacro(tx: SiteContext, row: TicketRow, macro: ReadyMacro): Promise<TicketRow> {
  // Creates all new tags at once in one order: two macros creating the same tags alternately would deadlock.
  const added = macro.actions.flatMap((action) => (action.type === 'add_tags' ? [action.tags] : []));
  if (added.length > 1) await ensureTags(tx, added.flat());
  const quiet = withoutUpdates(tx);
  let now = row;
  for (const action of macro.actions) now = await act(quiet, now, macro, action);
  await reportChange(tx, row, now);
  return now;
}
