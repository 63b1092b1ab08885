import { REPORT_SPREAD_S } from '@foyer/protocol/values/report-names';
import { TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { statusWord } from '../../words.ts';
import { statusWord as ticketStatusWord } from '../inbox/ticket/ticket-words.ts';
import { dayLong, duration, hourName, weekdayName } from './charts/figures.ts';
import { type Figure, spanOfFigure } from './report-search.ts';
import { t } from './t.ts';

const CHAT_STATUSES = ['bot', 'waiting', 'active', 'closed'] as const;
const CHANNELS = ['chat', 'email', 'follow_up', 'direct'] as const;
/** The outcomes of the bot's chats, from the bottom of the chart up. */
export const OUTCOMES = ['answered', 'handed_off', 'unanswered'] as const;
/** What the bot's messages are. */
export const BOT_MESSAGES = ['answered', 'asked_back', 'unknown'] as const;
/** Why chats are handed off. */
export const REASONS = ['visitor_request', 'low_confidence', 'no_answer', 'agent_takeover', 'rule'] as const;

const wordOf = <T extends string>(known: readonly T[], name: string, say: (one: T) => string): string => {
  const found = known.find((one) => one === name);
  return found ? say(found) : name;
};

/** A chat's current status. */
export const chatState = (name: string): string => wordOf(CHAT_STATUSES, name, statusWord);
/** A ticket's current status. */
export const ticketState = (name: string): string => wordOf(TICKET_STATUSES, name, ticketStatusWord);
/** A ticket's origin. */
export const channelName = (name: string): string => wordOf(CHANNELS, name, (one) => t(`channel_${one}`));
/** A step of the distribution of times. */
export function spreadName(part: number): string {
  const upToS = REPORT_SPREAD_S[part];
  return upToS === undefined ? t('longer') : t('up_to', { length: duration(upToS) });
}

/** What a figure counts. `name` is that of its agent or tag. */
function subjectOf({ show, of = '' }: Figure, name: string | undefined): (string | undefined)[] {
  switch (show) {
    case 'arrivals':
      return [t('figure_arrivals')];
    case 'chats':
      return [t('series_chats'), of && chatState(of)];
    case 'tickets':
      return [t('series_tickets'), of && ticketState(of)];
    case 'ticket_channels':
      return [t('series_tickets'), of && channelName(of)];
    case 'chat_answers':
    case 'chat_ends':
    case 'ticket_answers':
    case 'ticket_ends':
      return [t(`title_${show}`)];
    case 'chat_unanswered':
      return [of === 'waiting' ? t('figure_waiting') : t('figure_unanswered')];
    case 'chat_calls':
      return [t('reasons_title'), of && wordOf(REASONS, of, (one) => t(`reason_${one}`))];
    case 'bot_chats':
      return [t('figure_bot_chats'), of && wordOf(OUTCOMES, of, (one) => t(`outcome_${one}`))];
    case 'bot_turns':
      return [t('messages_title'), of && wordOf(BOT_MESSAGES, of, (one) => t(`message_${one}`))];
    case 'ratings':
      if (of === 'team' || of === 'bot') return [t('figure_ratings'), t(`by_${of}`)];
      return [t('figure_ratings'), name];
    case 'agent_answers':
      return [t('title_chat_answers'), name];
    case 'agent_ends':
      return [t('title_chat_ends'), name];
    case 'agent_ticket_answers':
      return [t('column_answered'), name];
    case 'agent_ticket_ends':
      return [t('column_solved'), name];
    case 'agent_chats':
    case 'chat_tags':
      return [t('series_chats'), name];
    case 'ticket_tags':
      return [t('series_tickets'), name];
    case 'tags':
      return [t('figure_arrivals'), name];
    case 'tag_ratings':
      return [t('figure_ratings'), name];
  }
}

function partOf({ show, part, weekday }: Figure): string | undefined {
  if (part === undefined) return undefined;
  if (show === 'ratings') return t('stars', { count: part });
  if (weekday !== undefined)
    return t('figure_hour', { weekday: weekdayName(weekday, 'long'), hour: hourName(part) });
  return spreadName(part);
}

function daysOf(figure: Figure): string | undefined {
  const { from, to } = spanOfFigure(figure, {});
  if (!from || !to) return undefined;
  return from === to ? dayLong(from) : t('period', { from: dayLong(from), to: dayLong(to) });
}

/** The title of a list of conversations: the figure, its part and its days. */
export const figureTitle = (figure: Figure, name: string | undefined): string =>
  [...subjectOf(figure, name), partOf(figure), daysOf(figure)].filter(Boolean).join(' · ');
