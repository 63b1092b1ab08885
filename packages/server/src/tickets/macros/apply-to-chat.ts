import { randomUUID } from 'node:crypto';
import { CLOSE_UNDO_S, type MacroAction, MESSAGE_MAX } from '@foyer/protocol';
import { type ChatMacroAction, worksInChat } from '@foyer/protocol/values/macro-actions';
import type { PlaceholderValues } from '@foyer/protocol/values/macro-text';
import { AppError } from '../../base/errors.ts';
import { changeChatTags } from '../../conversations/chat-tags.ts';
import { addNote, reply, transferSession } from '../../conversations/desk.ts';
import { closeByTeam, setChatFields } from '../../conversations/fields/chat-fields.ts';
import { setChatTeam } from '../../conversations/routing/chat-team.ts';
import { getSession, type SessionRow, visitorOf } from '../../conversations/sessions.ts';
import { snoozeChat } from '../../conversations/snooze/snooze.ts';
import { minutesFrom } from '../../conversations/snooze/snooze-times.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { type ActionSubject, actOutside } from './act-outside.ts';
import type { ReadyMacro } from './apply.ts';
import { filledText, valuesOfChat } from './filled-text.ts';

/**
 * In a chat, replies come first and closing last: after an assignment the reply would be a colleague's, and an
 * assignment would end the snooze.
 */
const ORDER: Record<ChatMacroAction['type'], number> = {
  reply: 0,
  note: 0,
  add_tags: 1,
  remove_tags: 1,
  set_field: 1,
  send_email: 1,
  call_webhook: 1,
  assign_team: 2,
  assign: 2,
  snooze: 3,
  set_status: 4,
  block: 5,
};

const inOrder = (actions: readonly MacroAction[]): ChatMacroAction[] =>
  actions.filter(worksInChat).sort((a, b) => ORDER[a.type] - ORDER[b.type]);

/** A chat as an action that doesn't change it sees it. */
const subjectOf = (chat: SessionRow, values: PlaceholderValues): ActionSubject => ({
  ticketId: null,
  sessionId: chat.session_id,
  visitor: visitorOf(chat),
  values,
});

/**
 * Runs one action on a locked chat, in the name of the agent who acts. Replies, notes and closing need one.
 * @throws AppError 409 for actions that the chat's state doesn't allow
 */
export async function actInChat(
  tx: SiteContext,
  chat: SessionRow,
  action: ChatMacroAction,
  values: PlaceholderValues,
): Promise<void> {
  const { session_id: id } = chat;
  switch (action.type) {
    case 'reply':
    case 'note': {
      const said = { clientId: randomUUID(), text: filledText(action.body, values, MESSAGE_MAX) };
      await (action.type === 'reply' ? reply(tx, id, said) : addNote(tx, id, said));
      return;
    }
    case 'add_tags':
      await changeChatTags(tx, await getSession(tx, id), { add: action.tags });
      return;
    case 'remove_tags':
      await changeChatTags(tx, await getSession(tx, id), { remove: action.tags });
      return;
    case 'assign':
      await transferSession(tx, id, action.assignee_id);
      return;
    case 'assign_team':
      await setChatTeam(tx, await getSession(tx, id), action.team_id);
      return;
    case 'snooze':
      await snoozeChat(tx, id, minutesFrom(tx.now(), action.minutes));
      return;
    case 'set_status':
      await closeByTeam(tx, id, CLOSE_UNDO_S);
      return;
    case 'set_field':
      await setChatFields(tx, await getSession(tx, id), { [action.field]: action.value });
      return;
    case 'send_email':
    case 'call_webhook':
    case 'block':
      await actOutside(tx, subjectOf(chat, values), action);
  }
}

/**
 * Applies those of a macro's actions that chats support to a locked chat, in the caller's transaction: all, or none
 * if it throws. Solving closes the chat, which can be undone as usual.
 * @throws AppError 409 for a macro without such an action, and for actions that the chat's state doesn't allow
 */
export async function applyMacroToChat(
  tx: SiteContext,
  chat: SessionRow,
  { actions, siteName }: ReadyMacro,
): Promise<SessionRow> {
  const own = inOrder(actions);
  if (own.length === 0)
    throw new AppError('conflict', 'This macro’s actions work for tickets only.', {
      reason: 'macro_not_for_chats',
    });
  const values = valuesOfChat(chat, { siteName, agentName: agentActor(tx).name });
  for (const action of own) await actInChat(tx, chat, action, values);
  return getSession(tx, chat.session_id);
}
