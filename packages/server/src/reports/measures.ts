/** What is counted. `report_days` has a row for each measure, day, subject and bucket that is not nothing. */
const MEASURES = [
  /** Chats by the day they began; subject: their state now; bucket: the hour of the day. */
  'chats',
  /** Calls for a person, by their day; subject: the reason. */
  'chat_calls',
  /** First answers of a person, by the day of the first call; bucket: the wait. */
  'chat_answers',
  /** The same waits, less the time outside of office hours. */
  'chat_answers_open',
  /** Chats in which a person was called and none has said a word; subject: `waiting`, or `closed` by now. */
  'chat_unanswered',
  /** Chats with a person that have ended, by that day; bucket: the time since the first call. */
  'chat_ends',
  /** Chats that an agent has written in, by the day of their first message; total: their messages. */
  'agent_chats',
  /** As chat_answers and chat_ends, by who answered and who had them: rows of their own, so that all of a site are few. */
  'agent_answers',
  'agent_ends',
  'chat_tags',
  /** Ratings by their day; subject: who had the chat, empty: the bot; bucket: the rating. */
  'ratings',
  'tag_ratings',
  /** Messages of the bot; subject: `answered`, `asked_back`, `unknown`. */
  'bot_turns',
  /** Chats that the bot has written in, by the day they began; subject: `answered`, `unanswered`, `handed_off`. */
  'bot_chats',
  /** Tickets by the day they were made; subject: their state now; bucket: the hour of the day. */
  'tickets',
  /** Subject: where they came from: `chat`, `follow_up`, `direct`. */
  'ticket_channels',
  /** First public answers of the team, by the day of the ticket; bucket: the wait. */
  'ticket_answers',
  'ticket_answers_open',
  /** Tickets by the day they were solved; bucket: the time since they were made. */
  'ticket_ends',
  /** How many of these were whose. */
  'agent_ticket_answers',
  'agent_ticket_ends',
  'ticket_tags',
] as const;
export type Measure = (typeof MEASURES)[number];

/** How a row names an agent; empty where it was none: the bot, a token. */
export const subjectOf = (id: number | null): string => (id === null ? '' : String(id));

/** What a record adds to one row of `report_days`. */
export type Count = readonly [
  measure: Measure,
  day: string,
  subject: string,
  bucket: number,
  count: number,
  total: number,
];
