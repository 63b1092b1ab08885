import { type AnyOperation, agentsRead, agentsWrite, operation } from '../core/operation.ts';
import { resourceOperations } from '../core/resource.ts';
import { createTag, deleteTag, ensureTags, listTags, updateTag } from '../tags/tags.ts';
import { beginChat } from './begin.ts';
import { blockVisitor, unblockVisitor } from './block-visitor.ts';
import { closeSession } from './closing.ts';
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
import { listHandoffs } from './handoffs.ts';
import { getTranscript, listFeedback } from './logs.ts';
import { listSessions } from './routing/queues.ts';
import { presentSession } from './sessions.ts';

const done = { done: true } as const;
const ofChat = { session_id: 'session' } as const;

/** What tokens and agents may do with chats. */
export const conversationOperations: AnyOperation[] = [
  ...resourceOperations({
    name: 'tags',
    record: 'tag',
    who: ['token', 'agent'],
    audit: 'tag',
    list: {
      summary: 'List the tags of the site',
      tool: 'The tags of the site (id, name, colour), which chats and tickets share. Look here before you make a new one.',
      run: listTags,
    },
    create: {
      summary: 'Make a tag',
      tool: 'Make a tag for the whole site. A name that there is already, in whatever case, is refused with `conflict`.',
      run: (ctx, { name, color }) => createTag(ctx, name, color),
    },
    update: {
      summary: 'Rename or recolour a tag',
      tool: 'Rename or recolour a tag everywhere it is used. Take its id from list_tags.',
      run: updateTag,
    },
    delete: {
      summary: 'Delete a tag; chats lose it',
      who: ['token', 'admin'],
      tool: 'Delete a tag for the whole site: every chat and ticket loses it, and nothing brings it back. To take a tag off one ticket, change the ticket instead.',
      run: (ctx, { id }) => deleteTag(ctx, id),
    },
  }),
  operation({
    name: 'handoffs.list',
    summary: 'List the handoffs from the bot to people, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'handoffs', method: 'GET' },
    tool: {
      name: 'list_handoffs',
      description:
        'The log of chats that the bot handed to people: why, a summary, who took it, and the ticket that was made of it. Start here to find customers who wait for a follow-up; `since` leaves out what you have seen. Then read the chat with get_transcript.',
    },
    run: listHandoffs,
  }),
  operation({
    name: 'transcripts.get',
    summary: 'Read a whole chat',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'transcripts', method: 'GET' },
    records: { sessionId: 'session' },
    tool: {
      name: 'get_transcript',
      description:
        'One chat in order: what visitor, bot and agents wrote. `sessionId` comes from list_handoffs, list_feedback or a ticket’s `session_id`. Of a very long chat the answer holds the beginning and the end, and `left_out` says what is missing: read that with `after_seq` (a message’s `seq`) and `limit`.',
    },
    run: (ctx, { sessionId, ...part }) => getTranscript(ctx, sessionId, part),
  }),
  operation({
    name: 'feedback.list',
    summary: 'List the ratings and comments that visitors gave after their chats, newest first',
    who: ['token', 'agent'],
    scope: 'read',
    rest: { resource: 'feedback', method: 'GET' },
    tool: {
      name: 'list_feedback',
      description:
        'Ratings (1 to 5) and comments that visitors left after their chats. Use it to see how a chat ended, or what people are unhappy with.',
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
    summary: 'Answer the visitor',
    records: ofChat,
    run: (ctx, { session_id, client_id, attachments, ...said }) =>
      reply(ctx, session_id, { ...said, clientId: client_id, uploadIds: attachments }),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.start',
    audit: 'visitor',
    summary: 'Speak first to a visitor who is on the site',
    records: { key: 'visitor_here' },
    run: async (ctx, input) => presentSession(await beginChat(ctx, input)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.note',
    summary: 'Leave a note that only the team sees',
    records: ofChat,
    run: (ctx, { session_id, client_id, ...note }) =>
      addNote(ctx, session_id, { ...note, clientId: client_id }),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.transfer',
    summary: 'Hand a chat to a colleague, or back to the queue',
    records: { ...ofChat, agent_id: 'agent' },
    run: async (ctx, { session_id, agent_id }) =>
      presentSession(await transferSession(ctx, session_id, agent_id)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.close',
    summary: 'End a chat',
    records: ofChat,
    run: async (ctx, { session_id }) => presentSession(await closeSession(ctx, session_id)),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.set_tags',
    summary: 'Give a chat exactly these tags',
    records: ofChat,
    run: (ctx, { session_id, tags }) => setTags(ctx, session_id, tags, ensureTags),
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.mark_read',
    summary: 'Say up to which message the team has read',
    records: ofChat,
    async run(ctx, { session_id, seq }) {
      await markReadByAgent(ctx, session_id, seq);
      return done;
    },
  }),
  operation({
    ...agentsWrite,
    name: 'sessions.mark_unread',
    summary: 'Mark a chat as unread, to come back to it',
    records: ofChat,
    run: async (ctx, { session_id }) => presentSession(await markUnread(ctx, session_id)),
  }),
  operation({
    ...agentsWrite,
    audit: 'visitor',
    name: 'visitors.block',
    summary: 'Take no more messages from a visitor',
    records: { key: 'visitor' },
    run: (ctx, { key }) => blockVisitor(ctx, key),
  }),
  operation({
    ...agentsWrite,
    audit: 'visitor',
    name: 'visitors.unblock',
    summary: 'Take messages from a visitor again',
    records: { key: 'visitor' },
    run: (ctx, { key }) => unblockVisitor(ctx, key),
  }),
];
