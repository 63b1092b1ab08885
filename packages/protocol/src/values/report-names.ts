import { DAY_S, HOUR_S, MINUTE_S } from './durations.ts';

/** Days up to today, including today; `month` from its first day on. */
export const REPORT_RANGES = ['today', '7d', '30d', '90d', 'month', 'custom'] as const;
export type ReportRange = (typeof REPORT_RANGES)[number];

export const REPORT_DAYS_MAX = 400;

export const REPORTS = [
  'volume',
  'responses',
  'hours',
  'bot',
  'satisfaction',
  'comments',
  'teams',
  'agents',
  'tags',
  'slas',
] as const;
export type ReportName = (typeof REPORTS)[number];

/** The figures whose conversations can be listed, or a part of them. */
export const REPORT_FIGURES = [
  'arrivals',
  'chats',
  'tickets',
  'ticket_channels',
  'chat_answers',
  'chat_ends',
  'chat_unanswered',
  'ticket_answers',
  'ticket_ends',
  'chat_calls',
  'bot_chats',
  'bot_turns',
  'ratings',
  'agent_chats',
  'agent_answers',
  'agent_ends',
  'agent_ticket_answers',
  'agent_ticket_ends',
  'chat_tags',
  'ticket_tags',
  'tags',
  'tag_ratings',
] as const;
export type ReportFigure = (typeof REPORT_FIGURES)[number];

/** The steps of a distribution of times, as people distinguish waiting and resolution times. */
export const REPORT_SPREAD_S = [
  30,
  MINUTE_S,
  5 * MINUTE_S,
  15 * MINUTE_S,
  HOUR_S,
  4 * HOUR_S,
  DAY_S,
  3 * DAY_S,
] as const;
