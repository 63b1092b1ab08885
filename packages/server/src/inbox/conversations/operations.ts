import { listNotes } from '../../conversations/desk.ts';
import { type AnyOperation, operation } from '../../core/operation.ts';
import { listConversations, listMessages } from './list.ts';
import { say } from './say.ts';
import { start } from './start.ts';
import { note, setRead, showTyping, snooze, update } from './update.ts';

const ofChat = { session_id: 'session' } as const;
const reads = { who: ['token', 'agent'], scope: 'read' } as const;
const writes = { who: ['token'], scope: 'write', audit: 'conversation' } as const;

/** Operations on chats for other programs: the same as the desk, the widget and the bot, by the same functions. */
export const conversationApiOperations: AnyOperation[] = [
  operation({
    ...reads,
    name: 'conversations.list',
    summary:
      'List chats by queue, status, assignee, tag, visitor, text or time; by session_id, one with its notes',
    rest: { resource: 'conversations', method: 'GET' },
    records: ofChat,
    mayLag: ({ session_id, q }) => session_id === undefined && q !== undefined,
    tool: {
      name: 'list_conversations',
      description:
        'Find chats, the latest activity first unless sort says otherwise. With session_id, read one chat with its notes and rating; ' +
        'its messages are in list_conversation_messages. queue waiting are those that wait for a person. Snoozed chats and spam are omitted ' +
        'unless queue asks for them. Pass next_cursor as cursor for the next page; a page with a filter may be empty and still continue.',
    },
    run: listConversations,
  }),
  operation({
    ...writes,
    name: 'conversations.create',
    summary: 'Start a chat with a visitor',
    rest: { resource: 'conversations', method: 'POST', creates: true },
    records: { agent_id: 'agent' },
    tool: {
      name: 'start_conversation',
      description:
        'Start a chat with one visitor, by key or visitor_id, with a first message: as agent (agent_id says in whose name), as bot, or as the ' +
        'visitor, for what reached you in another way. A visitor who is on the site sees it at once, others when they come back.',
      destructive: true,
    },
    run: start,
  }),
  operation({
    ...writes,
    name: 'conversations.update',
    summary: 'Assign, transfer, tag, hand over, close or reopen a chat',
    rest: { resource: 'conversations', method: 'PATCH', query: ['session_id'] },
    records: ofChat,
    tool: {
      name: 'update_conversation',
      description:
        'Change a chat; omitted fields stay as they are. assignee_id assigns it, null returns it to the queue; note is for the colleague who gets it. ' +
        'status waiting calls a person, takes it from its agent, or reopens it; status bot returns it to the bot; status closed ends it, which the visitor sees. ' +
        'tags replaces all tags, add_tags and remove_tags change some.',
      idempotent: true,
    },
    run: update,
  }),
  operation({
    ...writes,
    name: 'conversation_snoozes.set',
    summary: 'Snooze a chat until a time, or wake it',
    rest: { resource: 'conversation_snooze', method: 'POST' },
    records: ofChat,
    tool: {
      name: 'snooze_conversation',
      description:
        'Snooze a chat until until_utc, or for a number of minutes; until_utc null wakes it now. At that time, or when the visitor writes, it is back in its queue. ' +
        'Not for a chat that the bot has.',
      idempotent: true,
    },
    run: snooze,
  }),
  operation({
    ...reads,
    name: 'conversation_notes.list',
    summary: 'List the notes of a chat, newest first',
    rest: { resource: 'conversation_notes', method: 'GET' },
    records: ofChat,
    tool: {
      name: 'list_conversation_notes',
      description: 'Read what the team has noted on a chat for each other. The visitor never sees notes.',
    },
    run: listNotes,
  }),
  operation({
    ...writes,
    name: 'conversation_notes.create',
    summary: 'Add a note to a chat, for the team alone',
    rest: { resource: 'conversation_notes', method: 'POST', creates: true },
    records: { ...ofChat, agent_id: 'agent' },
    tool: {
      name: 'add_conversation_note',
      description:
        'Add a note to a chat that only the team sees, in the name of agent_id, by default the agent who has the chat. mentions notifies agents whose names are in the text after an @, and with kind team a team’s members.',
    },
    run: note,
  }),
  operation({
    who: ['token'],
    scope: 'write',
    name: 'conversation_typing.set',
    summary: 'Show in a chat that somebody is typing',
    rest: { resource: 'conversation_typing', method: 'POST' },
    records: { ...ofChat, agent_id: 'agent' },
    run: showTyping,
  }),
  operation({
    who: ['token'],
    scope: 'write',
    name: 'conversation_reads.set',
    summary: 'Mark a chat as read by the team or its visitor, or as unread',
    rest: { resource: 'conversation_read', method: 'POST' },
    records: ofChat,
    tool: {
      name: 'mark_conversation_read',
      description:
        'Mark a chat as read by the team up to a message (seq, by default the last), which the visitor sees as a receipt; unread true marks it as unread instead. reader visitor is for a visitor who reads it elsewhere.',
      idempotent: true,
    },
    run: setRead,
  }),
  operation({
    ...reads,
    name: 'conversation_messages.list',
    summary: 'List the messages of a chat, in order',
    rest: { resource: 'conversation_messages', method: 'GET' },
    records: ofChat,
    tool: {
      name: 'list_conversation_messages',
      description:
        'Read the messages of one chat in the order in which they were said, in pages; order desc begins with the newest. after_seq reads ' +
        'only what is newer than a message that you know. Read all of it before you write in the chat.',
    },
    run: listMessages,
  }),
  operation({
    ...writes,
    name: 'conversation_messages.create',
    summary: 'Send a message in a chat, as agent, bot or visitor',
    rest: { resource: 'conversation_messages', method: 'POST', creates: true },
    records: { ...ofChat, agent_id: 'agent' },
    tool: {
      name: 'send_conversation_message',
      description:
        'Write in a chat. sender agent is a person of the team: agent_id says who, by default the agent who has the chat; a chat that ' +
        'nobody has becomes theirs. sender bot works only while the bot has the chat. sender visitor is for what the visitor said to you ' +
        'elsewhere. seen refuses the message if a colleague has replied since.',
      destructive: true,
    },
    run: say,
  }),
];
