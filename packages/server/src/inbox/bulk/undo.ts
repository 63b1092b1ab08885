import type { TicketPriority, TicketStatus } from '@foyer/protocol';
import { AppError } from '../../base/errors.ts';
import { setTags, transferSession } from '../../conversations/desk.ts';
import { setChatTeam } from '../../conversations/routing/chat-team.ts';
import { lockSession, type SessionRow } from '../../conversations/sessions.ts';
import { snoozeChat } from '../../conversations/snooze/snooze.ts';
import { setChatSpam } from '../../conversations/spam/mark-chat.ts';
import type { SiteContext } from '../../core/context.ts';
import { changeTicket } from '../../tickets/changes.ts';
import { snoozeTicket } from '../../tickets/snooze.ts';
import { setTicketSpam } from '../../tickets/spam.ts';
import type { TicketRow } from '../../tickets/tickets.ts';

/** The value of a field before and after a change. */
interface Step<T> {
  made: T;
  was: T;
}

/** How to undo the change of one chat or ticket. Times are in wire format. */
export interface Undo {
  status?: Step<TicketStatus>;
  priority?: Step<TicketPriority>;
  assignee_id?: Step<number | null>;
  team_id?: Step<number | null>;
  snoozed_until?: Step<string | null>;
  spam?: Step<boolean>;
  /** Tags that were added and removed. */
  added?: string[];
  removed?: string[];
}

const isSpam = ({ spam_at }: { spam_at: Date | null }): boolean => spam_at !== null;

const teamIn = ({ team }: SessionRow): number | null => team?.id ?? null;

const isEmpty = (undo: Undo): boolean => Object.keys(undo).length === 0;

const tagSteps = (before: readonly string[], after: readonly string[]): Pick<Undo, 'added' | 'removed'> => {
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  return { ...(added.length > 0 ? { added } : {}), ...(removed.length > 0 ? { removed } : {}) };
};

const utc = (time: Date | null): string | null => time?.toISOString() ?? null;

/** Tickets can't return to `new`: a changed one is restored as `open`. */
const backTo = (status: TicketStatus): TicketStatus => (status === 'new' ? 'open' : status);

/** @returns null if there is nothing to undo */
export function undoOfTicket(before: TicketRow, after: TicketRow): Undo | null {
  const undo: Undo = tagSteps(before.tags, after.tags);
  if (after.status !== before.status && after.status !== backTo(before.status))
    undo.status = { made: after.status, was: backTo(before.status) };
  if (after.priority !== before.priority) undo.priority = { made: after.priority, was: before.priority };
  if (after.assignee_id !== before.assignee_id)
    undo.assignee_id = { made: after.assignee_id, was: before.assignee_id };
  if (after.team_id !== before.team_id) undo.team_id = { made: after.team_id, was: before.team_id };
  if (utc(after.snoozed_until) !== utc(before.snoozed_until))
    undo.snoozed_until = { made: utc(after.snoozed_until), was: utc(before.snoozed_until) };
  if (isSpam(after) !== isSpam(before)) undo.spam = { made: isSpam(after), was: isSpam(before) };
  return isEmpty(undo) ? null : undo;
}

/** A chat taken from the bot isn't returned to it: the visitor has seen a person join. */
export function undoOfChat(before: SessionRow, after: SessionRow): Undo | null {
  const undo: Undo =
    isSpam(after) === isSpam(before) ? {} : { spam: { made: isSpam(after), was: isSpam(before) } };
  if (after.status === 'closed') return isEmpty(undo) ? null : undo;
  Object.assign(undo, tagSteps(before.tags, after.tags));
  if (before.status !== 'bot' && after.agent_id !== before.agent_id)
    undo.assignee_id = { made: after.agent_id, was: before.agent_id };
  if (teamIn(after) !== teamIn(before)) undo.team_id = { made: teamIn(after), was: teamIn(before) };
  if (utc(after.snoozed_until) !== utc(before.snoozed_until))
    undo.snoozed_until = { made: utc(after.snoozed_until), was: utc(before.snoozed_until) };
  return isEmpty(undo) ? null : undo;
}

/** @throws AppError 409 for a value that somebody has changed since */
function checkStill<T>(now: T, step: Step<T> | undefined): void {
  if (step && now !== step.made)
    throw new AppError('conflict', 'It was changed again in the meantime.', { reason: 'bulk_changed_since' });
}

/** The snooze time, unless it has passed meanwhile. */
function stillAhead(tx: SiteContext, until: string | null): Date | null {
  const end = until === null ? null : new Date(until);
  return end && end > tx.now() ? end : null;
}

/** Undoes the change of a locked ticket. @throws AppError 409 for values changed since */
export async function undoTicket(tx: SiteContext, row: TicketRow, undo: Undo): Promise<TicketRow> {
  const { status, priority, assignee_id, team_id, snoozed_until, spam, added, removed } = undo;
  checkStill(row.status, status);
  checkStill(row.priority, priority);
  checkStill(row.assignee_id, assignee_id);
  checkStill(row.team_id, team_id);
  checkStill(utc(row.snoozed_until), snoozed_until);
  checkStill(isSpam(row), spam);
  if (spam) return setTicketSpam(tx, row, spam.was ? 'team' : null);
  const now = await changeTicket(tx, row, {
    status: status?.was,
    priority: priority?.was,
    assignee_id: assignee_id?.was,
    team_id: team_id?.was,
    remove_tags: added,
    add_tags: removed,
  });
  if (!snoozed_until) return now;
  const until = stillAhead(tx, snoozed_until.was);
  if (until) return snoozeTicket(tx, now, until);
  const awake = await snoozeTicket(tx, now, null);
  // A snooze that would have ended meanwhile has ended. A ticket that was never snoozed gets its status back,
  // though ending a snooze opens it.
  return snoozed_until.was ? awake : changeTicket(tx, awake, { status: backTo(now.status) });
}

/** Undoes the change of a chat. @throws AppError 409 for values changed since, and for a closed chat */
export async function undoChat(tx: SiteContext, sessionId: string, undo: Undo): Promise<void> {
  const { assignee_id, team_id, snoozed_until, spam, added = [], removed = [] } = undo;
  const row = await lockSession(tx, sessionId);
  checkStill(row.agent_id, assignee_id);
  checkStill(teamIn(row), team_id);
  checkStill(utc(row.snoozed_until), snoozed_until);
  checkStill(isSpam(row), spam);
  if (spam) await setChatSpam(tx, row, spam.was ? 'team' : null);
  if (team_id) await setChatTeam(tx, row, team_id.was);
  if (assignee_id) await transferSession(tx, sessionId, assignee_id.was);
  if (snoozed_until) await snoozeChat(tx, sessionId, stillAhead(tx, snoozed_until.was));
  if (added.length + removed.length === 0) return;
  const kept = row.tags.filter((name) => !added.includes(name));
  await setTags(tx, sessionId, [...new Set([...kept, ...removed])]);
}
