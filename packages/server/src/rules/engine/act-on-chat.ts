import { randomUUID } from 'node:crypto';
import { MESSAGE_MAX, type RuleAction, type RuleOnlyAction } from '@foyer/protocol';
import { worksInChat } from '@foyer/protocol/values/macro-actions';
import { AppError } from '../../base/errors.ts';
import { ANY_OPEN, appendMessage } from '../../conversations/append/append-message.ts';
import { requestRating } from '../../conversations/chat.ts';
import { closeSession } from '../../conversations/closing.ts';
import { addNote, closed } from '../../conversations/desk.ts';
import { handOff } from '../../conversations/handoffs.ts';
import { giveBack } from '../../conversations/routing/give-back.ts';
import { getSession, type SessionRow } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { getSite } from '../../sites/sites.ts';
import { actInChat } from '../../tickets/macros/apply-to-chat.ts';
import { filledText, valuesOfChat } from '../../tickets/macros/filled-text.ts';
import type { RuleRow } from '../rules.ts';
import { isMacroAction } from './actions.ts';

/** The agent in whose name a rule writes notes: the one who saved it last, or else the chat's agent. */
async function asAuthor(tx: SiteContext, chat: SessionRow, authorId: number | null): Promise<SiteContext> {
  const agents = await tx.db
    .selectFrom('agents')
    .select(['id', 'name', 'role'])
    .where('site_id', '=', tx.site.id)
    .where('id', 'in', [authorId ?? 0, chat.agent_id ?? 0])
    .where('removed_at', 'is', null)
    .execute();
  const agent = agents.find(({ id }) => id === authorId) ?? agents[0];
  if (!agent)
    throw new AppError('conflict', 'Nobody can be the author of the note. Save the rule again.', {
      reason: 'rule_no_author',
    });
  return tx.as({ kind: 'agent', agentId: agent.id, name: agent.name, role: agent.role });
}

/**
 * A message under the bot's name. It is no answer: a visitor who waits for the team still waits, and the bot still
 * answers.
 */
async function sayAutomatically(tx: SiteContext, chat: SessionRow, text: string): Promise<void> {
  const { bot_name: name } = await getSite(tx.db, tx.site.id);
  const draft = {
    clientId: randomUUID(),
    text,
    sender: 'bot',
    author: { id: null, name },
    isAutomatic: true,
  } as const;
  if (!(await appendMessage(tx, chat.session_id, draft, ANY_OPEN))) throw closed();
}

async function actAsRule(tx: SiteContext, chat: SessionRow, type: RuleOnlyAction): Promise<void> {
  if (type === 'request_rating') return requestRating(tx, chat);
  const { session_id: id } = chat;
  await (type === 'stop_bot' ? handOff(tx, id, { reason: 'rule' }) : giveBack(tx, id));
}

async function act(tx: SiteContext, chat: SessionRow, action: RuleAction, rule: RuleRow): Promise<void> {
  const { session_id: id } = chat;
  if (!isMacroAction(action)) return actAsRule(tx, chat, action.type);
  if (!worksInChat(action)) return;
  const { name: siteName } = await getSite(tx.db, tx.site.id);
  const values = valuesOfChat(chat, { siteName, agentName: chat.agent_name ?? siteName });
  switch (action.type) {
    case 'reply':
      return sayAutomatically(tx, chat, filledText(action.body, values, MESSAGE_MAX));
    case 'note':
      await addNote(await asAuthor(tx, chat, rule.author_id), id, {
        clientId: randomUUID(),
        text: filledText(action.body, values, MESSAGE_MAX),
      });
      return;
    case 'set_status':
      await closeSession(tx, id);
      return;
    default:
      await actInChat(tx, chat, action, values);
  }
}

/**
 * Runs a rule's actions on a locked chat, in their order: all, or none if it throws. Those that only tickets have are
 * skipped.
 * @throws AppError for actions that the chat's state doesn't allow
 */
export async function actOnChat(tx: SiteContext, chat: SessionRow, rule: RuleRow): Promise<void> {
  for (const action of rule.actions) await act(tx, await getSession(tx, chat.session_id), action, rule);
}
