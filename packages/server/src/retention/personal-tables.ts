import type { RetentionKind } from '@foyer/protocol';

interface PersonalTable {
  about: string;
  purpose: string;
  /** The retention kinds that delete it by age. Without: it is deleted with the record that it belongs to. */
  kept?: readonly RetentionKind[];
  /** The column with the time of a row, if it isn't one of the usual names. */
  at?: string;
}

const CHATTING = 'answer chats';
const TICKETS = 'answer tickets';
const VISITORS = ['anonymous_visitors', 'known_visitors'] as const;
const CHATS = ['chats', 'spam_chats'] as const;
const OF_TICKETS = ['tickets', 'spam_tickets'] as const;

/**
 * Describes every table with data about a visitor or customer. A test compares it with the schema, so none can be
 * forgotten; the columns are read from the database.
 */
export const PERSONAL_TABLES: Readonly<Record<string, PersonalTable>> = {
  visitors: {
    about: 'key, name, email address and attributes of visitors',
    purpose: 'recognise people and address them',
    kept: VISITORS,
  },
  visitor_devices: {
    about: 'browsers of visitors: user agent, language, time zone, and answers about the next chat',
    purpose: 'let a browser continue its chats',
    kept: VISITORS,
  },
  visitor_events: {
    about: 'what visitors did, as reported by the site',
    purpose: 'segments',
    kept: ['events'],
  },
  visitor_pages: {
    about: 'pages that visitors have viewed',
    purpose: 'show agents the context',
    kept: ['pages'],
  },
  visitor_notes: { about: 'notes of agents about visitors', purpose: 'serve people well', kept: VISITORS },
  visitor_consents: {
    about: 'what visitors agreed to before a chat, with its wording',
    purpose: 'prove consent',
    kept: VISITORS,
    at: 'agreed_at',
  },
  proactive_receipts: {
    about: 'which proactive messages visitors were shown, opened and answered',
    purpose: 'show none twice',
    kept: VISITORS,
    at: 'seen_at',
  },
  segment_members: { about: 'groups that visitors belong to', purpose: 'segments', kept: VISITORS },
  conversations: { about: 'chats with page, address and excerpts', purpose: CHATTING, kept: CHATS },
  messages: { about: 'what was written in chats', purpose: CHATTING, kept: CHATS },
  notes: { about: 'notes of agents in chats', purpose: CHATTING, kept: CHATS },
  routing_decisions: { about: 'why routing assigned chats', purpose: CHATTING, kept: CHATS },
  handoffs: { about: 'summaries for agents', purpose: CHATTING, kept: CHATS },
  feedback: { about: 'ratings and comments', purpose: 'improve the service', kept: CHATS },
  conversation_tags: { about: 'tags of chats', purpose: CHATTING, kept: CHATS },
  transcript_mails: {
    about: 'addresses that a transcript was sent to',
    purpose: 'limit such emails',
    kept: CHATS,
  },
  unread_replies: {
    about: 'replies that visitors have not read',
    purpose: 'send them by email',
    kept: CHATS,
  },
  chat_mails: { about: 'emails of chats', purpose: 'continue chats by email', kept: CHATS },
  action_runs: {
    about: 'what visitors have entered for an action',
    purpose: 'actions of the bot',
    kept: CHATS,
  },
  action_calls: {
    about: 'calls of actions with input and answer',
    purpose: 'actions of the bot',
    kept: ['action_log'],
  },
  message_search_chunks: { about: 'words of chats', purpose: 'search', kept: CHATS },
  unanswered_question_messages: {
    about: 'questions that the bot had no answer to',
    purpose: 'improve the bot',
    kept: CHATS,
  },
  unanswered_questions: { about: 'groups of such questions', purpose: 'improve the bot' },
  unanswered_question_terms: { about: 'words of such questions', purpose: 'improve the bot' },
  set_questions: { about: 'questions taken from chats', purpose: 'test the bot' },
  tickets: { about: 'tickets with subject, text and address', purpose: TICKETS, kept: OF_TICKETS },
  rule_runs: { about: 'what rules did with chats and tickets, for a while', purpose: 'automation rules' },
  ticket_fields: { about: 'custom fields of tickets', purpose: TICKETS, kept: OF_TICKETS },
  chat_slas: { about: 'when the team had to answer chats', purpose: CHATTING, kept: CHATS },
  conversation_fields: { about: 'custom fields of chats', purpose: CHATTING, kept: CHATS },
  ticket_replies: { about: 'replies and notes', purpose: TICKETS, kept: OF_TICKETS },
  received_mails: {
    about: 'emails as they arrived, and what became of them',
    purpose: 'receive tickets by email',
    kept: ['mail_log', 'mail_sources'],
  },
  ticket_mails: { about: 'emails of tickets: people, HTML, quoted text', purpose: TICKETS, kept: OF_TICKETS },
  mail_attempts: { about: 'attempts to send emails', purpose: 'deliver emails', kept: ['tickets', 'chats'] },
  blocked_senders: { about: 'blocked email addresses', purpose: 'refuse unwanted email' },
  ticket_tags: { about: 'tags of tickets', purpose: TICKETS, kept: OF_TICKETS },
  ticket_words: { about: 'words of tickets', purpose: 'search', kept: OF_TICKETS },
  portal_links: { about: 'links of customers to their tickets', purpose: TICKETS, kept: OF_TICKETS },
  portal_answers: {
    about: 'which forms of the portal were sent',
    purpose: 'store each answer once',
    kept: OF_TICKETS,
  },
  attachments: { about: 'files of chats and tickets', purpose: 'exchange files', kept: ['files'] },
  drafts: { about: 'unsent texts of agents', purpose: 'keep drafts on every browser' },
  mentions: { about: 'mentions of agents in notes', purpose: 'notify colleagues' },
  mention_queue: { about: 'mentions that an agent has not handled', purpose: 'notify colleagues' },
  notifications: { about: 'what agents were notified of', purpose: 'notify agents' },
  webhook_events: { about: 'bodies of webhooks', purpose: 'inform other systems', kept: ['webhook_log'] },
  webhook_attempts: { about: 'answers of receivers', purpose: 'inform other systems', kept: ['webhook_log'] },
  import_problems: { about: 'rows of an import that failed', purpose: 'import data' },
  audit_entries: {
    about: 'who changed what, from which address',
    purpose: 'account for changes',
    kept: ['audit_log'],
  },
};
