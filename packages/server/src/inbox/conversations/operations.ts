import { type AnyOperation, operation } from '../../core/operation.ts';
import { listConversations, listMessages } from './list.ts';
import { say } from './say.ts';
import { start } from './start.ts';

const ofChat = { session_id: 'session' } as const;
const reads = { who: ['token', 'agent'], scope: 'read' } as const;
const writes = { who: ['token'], scope: 'write', audit: 'conversation' } as const;

/** What other programs may do with chats: the same as the desk, the widget and the bot, by the same functions. */
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
