import type { InputOf } from '@foyer/protocol';
import { type AnyOperation, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { createTag, deleteTag, listTags, updateTag } from '../tags/tags.ts';
import { blockVisitor, unblockVisitor } from './block-visitor.ts';
import { keepOpen } from './closing.ts';
import {
  acceptSession,
  addNote,
  getSessionDetail,
  markReadByAgent,
  markUnread,
  reply,
  setTags,
  transferSession,
} from './desk.ts';
import { closeByTeam, setChatFields } from './fields/chat-fields.ts';
import { listHandoffs } from './handoffs.ts';
import { listSessions } from './lists/list-chats.ts';
import { getTranscript, listFeedback } from './logs.ts';
import { lockSession, presentSession } from './sessions.ts';
import { snoozeChat } from './snooze/snooze.ts';
import { beginChat } from './starting/begin.ts';

const done = { done: true } as const;
const ofChat = { session_id: 'session' } as const;

const writtenNote = ({ client_id, ...note }: Omit<InputOf<'sessions.note'>, 'session_id'>) => ({
  ...note,
  clientId: client_id,
});

/** What tokens and agents may do with chats. */
export const conversationOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'tags',
    record: 'tag',
    who: ['token', 'agent'],
    audit: 'tag',
    list: {
      summary: 'List tags',
      tool: 'List the site’s tags (id, name, colour), which chats and tickets share. Look here before you create one.',
      run: listTags,
    },
    create: {
      summary: 'Create a tag',
      tool: 'Create a tag for the whole site. An existing name, in any case, is refused with `conflict`.',
      run: (ctx, { name, color }) => createTag(ctx, name, color),
    },
    update: {
      summary: 'Update a tag’s name or colour',
      tool: 'Update a tag’s name or colour everywhere. Take its id from list_tags.',
      run: updateTag,
    },
    delete: {
      summary: 'Delete a tag and remove it from chats and tickets',
      who: ['token', 'admin'],
      tool: 'Permanently delete a tag and remove it from every chat and ticket. To remove a tag from one ticket, update the ticket instead.',
      run: (ctx, { id }) => deleteTag(ctx, id),
    },
  }),
  operation({
    name: 'handoffs.list',
    summary: 'List handoffs, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'handoffs', method: 'GET' },
    tool: {
      name: 'list_handoffs',
      description:
        'List the chats that the bot handed to people: the reason, a summary, who took it, and the ticket created from it. Start here to find customers who are waiting for a follow-up; `since` omits handoffs that you have seen. Then read the chat with get_transcript.',
    },
    run: listHandoffs,
  }),
  operation({
    name: 'transcripts.get',
    summary: 'Read a chat’s transcript',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'transcripts', method: 'GET' },
    records: { sessionId: 'session' },
    tool: {
      name: 'get_transcript',
      description:
        'Read one chat in order: the messages of visitor, bot and agents. `sessionId` comes from list_handoffs, list_feedback or a ticket’s `session_id`. A very long chat is shortened to its beginning and end; `left_out` says what is missing. Read that with `after_seq` (a message’s `seq`) and `limit`.',
    },
    run: (ctx, { sessionId, ...part }) => getTranscript(ctx, sessionId, part),
  }),
  operation({
    name: 'feedback.list',
    summary: 'List visitors’ ratings and comments, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'feedback', method: 'GET' },
    tool: {
      name: 'list_feedback',
      description:
        'List the ratings (1 to 5) and comments that visitors left after their chats. Use it to see how a chat ended, or what people are unhappy with.',
    },
    run: listFeedback,
  }),
  operation({
    ...agentsRead,
    name: 'sessions.list',
    summary: 'List the chats of a queue',
    run: listSessions,
  }),
  operation({
    ...agentsRead,
    name: 'sessions.get',
    summary: 'Read a chat with its visitor, notes and rating',
    records: ofChat,
    run: (ctx, { session_id }) => getSessionDetail(ctx, session_id),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.accept',
    summary: 'Join a chat',
    records: ofChat,
    run: async (ctx, { session_id, take_over }) =>
      presentSession(await acceptSession(ctx, session_id, take_over)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.reply',
    summary: 'Reply to the visitor',
    records: ofChat,
    run: (ctx, { session_id, client_id, attachments, ...said }) =>
      reply(ctx, session_id, { ...said, clientId: client_id, uploadIds: attachments }),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.start',
    audit: 'visitor',
    summary: 'Start a chat with a visitor who is on the site',
    records: { key: 'visitor_here' },
    run: async (ctx, input) => presentSession(await beginChat(ctx, input)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.note',
    summary: 'Add a note for the team',
    records: ofChat,
    run: (ctx, { session_id, ...note }) => addNote(ctx, session_id, writtenNote(note)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.transfer',
    summary: 'Assign a chat to a colleague or a team, with a note if needed, or unassign it',
    records: { ...ofChat, agent_id: 'agent' },
    run: async (ctx, { session_id, agent_id, team_id, note }) =>
      presentSession(await transferSession(ctx, session_id, agent_id, note && writtenNote(note), team_id)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.close',
    summary: 'Close a chat',
    records: ofChat,
    run: async (ctx, { session_id, in_s }) => presentSession(await closeByTeam(ctx, session_id, in_s)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.keep_open',
    summary: 'Undo closing a chat before it ends',
    records: ofChat,
    run: async (ctx, { session_id }) => presentSession(await keepOpen(ctx, session_id)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.snooze',
    summary: 'Snooze a chat until a time, or wake it',
    records: ofChat,
    run: async (ctx, { session_id, until_utc, seen }) =>
      presentSession(
        await snoozeChat(ctx, session_id, until_utc === null ? null : new Date(until_utc), seen),
      ),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.set_tags',
    summary: 'Set the tags of a chat',
    records: ofChat,
    run: (ctx, { session_id, tags }) => setTags(ctx, session_id, tags),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.set_fields',
    summary: 'Set custom fields of a chat',
    records: ofChat,
    run: (ctx, { session_id, fields }) =>
      ctx.transaction(async (tx) =>
        presentSession(await setChatFields(tx, await lockSession(tx, session_id), fields)),
      ),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.mark_read',
    summary: 'Mark a chat as read up to a message',
    records: ofChat,
    async run(ctx, { session_id, seq }) {
      await markReadByAgent(ctx, session_id, seq);
      return done;
    },
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.mark_unread',
    summary: 'Mark a chat as unread',
    records: ofChat,
    run: async (ctx, { session_id }) => presentSession(await markUnread(ctx, session_id)),
  }),
  operation({
    ...agentsWrite,
    audit: 'visitor',
    name: 'visitors.block',
    summary: 'Block a visitor',
    records: { key: 'visitor' },
    run: (ctx, { key }) => blockVisitor(ctx, key),
  }),
  operation({
    ...agentsWrite,
    audit: 'visitor',
    name: 'visitors.unblock',
    summary: 'Unblock a visitor',
    records: { key: 'visitor' },
    run: (ctx, { key }) => unblockVisitor(ctx, key),
  }),
];
