import { randomUUID } from 'node:crypto';
import type { Conversation, Note, ParsedInputOf } from '@foyer/protocol';
import { markReadByVisitor } from '../../conversations/chat.ts';
import { changeChatTags } from '../../conversations/chat-tags.ts';
import { reopenSession } from '../../conversations/closing.ts';
import { addNote, closed, markReadByAgent, markUnread, transferSession } from '../../conversations/desk.ts';
import { closeByTeam, setChatFields } from '../../conversations/fields/chat-fields.ts';
import { handOff } from '../../conversations/handoffs.ts';
import { keepSilent } from '../../conversations/own-bot/say-as-bot.ts';
import { setChatTeam } from '../../conversations/routing/chat-team.ts';
import { giveBack } from '../../conversations/routing/give-back.ts';
import { getSession, lockSession, presentSession, type SessionRow } from '../../conversations/sessions.ts';
import { snoozeChat } from '../../conversations/snooze/snooze.ts';
import { minutesFrom } from '../../conversations/snooze/snooze-times.ts';
import { refuseSpam } from '../../conversations/spam/mark.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { getSite } from '../../sites/sites.ts';
import { forVisitorOf, inNameOf } from './acting.ts';
import { presentConversation } from './present.ts';

type Update = ParsedInputOf<'conversations.update'>;

const present = (row: SessionRow): Conversation => presentConversation(presentSession(row));

/** Makes a chat wait for a person, whatever it did before. */
function callPerson(
  tx: SiteContext,
  chat: SessionRow,
  { handoff_reason: reason = 'low_confidence', handoff_note: why }: Update,
): Promise<SessionRow> {
  const { session_id, status } = chat;
  if (status === 'closed') return reopenSession(tx, session_id);
  refuseSpam(chat);
  return status === 'bot' ? handOff(tx, session_id, { reason, why }) : transferSession(tx, session_id, null);
}

function setStatus(tx: SiteContext, chat: SessionRow, input: Update): Promise<SessionRow> {
  switch (input.status) {
    case 'closed':
      return closeByTeam(tx, chat.session_id);
    case 'bot':
      return chat.status === 'bot' ? keepSilent(tx, chat) : giveBack(tx, chat.session_id);
    case 'waiting':
      return callPerson(tx, chat, input);
    case undefined:
      return Promise.resolve(chat);
  }
}

/** Assigns, tags, hands over, closes and reopens a chat, as the desk does. All or nothing. */
export function update(ctx: SiteContext, input: Update): Promise<Conversation> {
  const {
    session_id,
    assignee_id,
    team_id,
    note,
    fields,
    tags,
    add_tags: add,
    remove_tags: remove,
    agent_id,
  } = input;
  return ctx.transaction(async (tx) => {
    const before = await lockSession(tx, session_id);
    const acting = agent_id === undefined ? tx : await inNameOf(tx, agent_id);
    const filled = fields ? await setChatFields(acting, before, fields) : before;
    let chat = await setStatus(acting, filled, input);
    if (team_id !== undefined) chat = await setChatTeam(acting, chat, team_id);
    if (assignee_id !== undefined) {
      const author = note === undefined ? acting : await inNameOf(acting, agent_id, before);
      chat = await transferSession(
        author,
        session_id,
        assignee_id,
        note === undefined ? undefined : { clientId: randomUUID(), text: note },
      );
    }
    if (tags) chat = await changeChatTags(acting, chat, { remove: chat.tags, add: tags });
    if (add || remove) chat = await changeChatTags(acting, chat, { add: add ?? [], remove: remove ?? [] });
    return present(chat);
  });
}

/** Snoozes a chat, or wakes it. */
export function snooze(
  ctx: SiteContext,
  { session_id, until_utc, minutes, seen }: ParsedInputOf<'conversation_snoozes.set'>,
): Promise<Conversation> {
  return ctx.transaction(async (tx) => {
    const until =
      minutes === undefined ? (until_utc ? new Date(until_utc) : null) : minutesFrom(tx.now(), minutes);
    return present(await snoozeChat(tx, session_id, until, seen));
  });
}

/** Adds a note in an agent's name. */
export function note(
  ctx: SiteContext,
  { session_id, text, mentions, client_id, agent_id }: ParsedInputOf<'conversation_notes.create'>,
): Promise<Note> {
  return ctx.transaction(async (tx) => {
    const by = await inNameOf(tx, agent_id, await getSession(tx, session_id));
    return addNote(by, session_id, { clientId: client_id ?? randomUUID(), text, mentions });
  });
}

/** Shows in desk and widget that somebody is typing. */
export async function showTyping(
  ctx: SiteContext,
  { session_id, sender, typing, agent_id }: ParsedInputOf<'conversation_typing.set'>,
): Promise<{ done: true }> {
  const chat = await getSession(ctx, session_id);
  if (chat.status === 'closed') throw closed();
  const nameOf = async (): Promise<string | null> => {
    if (sender === 'agent') return agentActor(await inNameOf(ctx, agent_id, chat)).name;
    return sender === 'bot' ? (await getSite(ctx.db, ctx.site.id)).bot_name : null;
  };
  const name = await nameOf();
  ctx.services.passing.show(ctx.site.id, { type: 'typing', session_id, from: sender, name, typing });
  return { done: true };
}

/** Marks a chat as read by the team or its visitor, or as unread. */
export function setRead(
  ctx: SiteContext,
  { session_id, reader, seq, unread }: ParsedInputOf<'conversation_reads.set'>,
): Promise<Conversation> {
  return ctx.transaction(async (tx) => {
    if (unread) return present(await markUnread(tx, session_id));
    const chat = await lockSession(tx, session_id);
    const upTo = seq ?? chat.last_seq;
    if (reader === 'visitor') await markReadByVisitor(forVisitorOf(tx, chat), session_id, upTo);
    else await markReadByAgent(tx, session_id, upTo);
    return present(await getSession(tx, session_id));
  });
}
