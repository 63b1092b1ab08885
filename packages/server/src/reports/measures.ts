/** The measures. `report_days` has a row for each measure, day, subject and bucket with a value. */
const MEASURES = [
  /** Chats by the day they began; subject: their current state; bucket: the hour of the day. */
  'chats',
  /** Handoffs, by day; subject: the reason. */
  'chat_calls',
  /** A person's first answers, by the day of the first handoff; bucket: the waiting time. */
  'chat_answers',
  /** The same waiting times, without the time outside office hours. */
  'chat_answers_open',
  /** Chats that were handed over and in which no agent has written; subject: `waiting`, or `closed` by now. */
  'chat_unanswered',
  /** Chats with a person that have ended, by that day; bucket: the time since the first handoff. */
  'chat_ends',
  /** Chats in which an agent has written, by the day of their first message; total: their messages. */
  'agent_chats',
  /** Like chat_answers and chat_ends, but by agent: separate rows, so that the site's totals are few. */
  'agent_answers',
  'agent_ends',
  'chat_tags',
  /** Ratings by day; subject: the agent who had the chat, empty for the bot; bucket: the rating. */
  'ratings',
  'tag_ratings',
  /** The bot's messages; subject: `answered`, `asked_back`, `unknown`. */
  'bot_turns',
  /** Chats in which the bot has written, by the day they began; subject: `answered`, `unanswered`, `handed_off`. */
  'bot_chats',
  /** Tickets by the day they were created; subject: their current state; bucket: the hour of the day. */
  'tickets',
  /** Tickets by origin; subject: `chat`, `follow_up`, `direct`. */
  'ticket_channels',
  /** The team's first public replies, by the day of the ticket; bucket: the waiting time. */
  'ticket_answers',
  'ticket_answers_open',
  /** Tickets by the day they were solved; bucket: the time since their creation. */
  'ticket_ends',
  /** The same, by agent. */
  'agent_ticket_answers',
  'agent_ticket_ends',
  'ticket_tags',
  /**
   * Targets of SLAs that were met or missed, by the day of the ticket; subject: the policy, team or assignee; bucket:
   * see `sla/sla-counts.ts`.
   */
  'sla_policies',
  'sla_teams',
  'sla_agents',
] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * The measure of one team's records, such as `chats@5`. A team's records count under both, so reports about everything
 * read no more rows than without teams.
 */
export type StoredMeasure = Measure | `${Measure}@${number}`;

/** A measure as it is stored in the sums: the team's own, or everybody's. */
export const storedMeasure = (measure: Measure, teamId: number | undefined): StoredMeasure =>
  teamId === undefined ? measure : `${measure}@${teamId}`;

/** The subject for an agent; empty for the bot or a token. */
export const subjectOf = (id: number | null): string => (id === null ? '' : String(id));

/** What a record adds to one row of `report_days`. */
export type Count<M extends StoredMeasure = Measure> = readonly [
  measure: M,
  day: string,
  subject: string,
  bucket: number,
  count: number,
  total: number,
];

/** A count under the measure as it is stored. */
export type StoredCount = Count<StoredMeasure>;

/** A team's record counts for everybody and for its team. It has one team at a time: a transfer moves its counts. */
export const withTeam = (counts: readonly Count[], teamId: number | null): StoredCount[] => [
  ...counts,
  ...(teamId === null
    ? []
    : counts.map(([measure, ...rest]) => [storedMeasure(measure, teamId), ...rest] as const)),
];
