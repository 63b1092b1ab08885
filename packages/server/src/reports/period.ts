import type { ReportRange } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';

/** A range of days, both ends included, and the team whose records count; without one, everybody's. */
export interface Days {
  readonly teamId?: number | undefined;
  readonly from: string;
  readonly to: string;
}

export interface Period extends Days {
  readonly before: Days;
}

const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** The number of days in the range. */
const lengthOfDays = ({ from, to }: Days): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Each of the days, in order. */
export const daysOf = (days: Days): string[] =>
  Array.from({ length: lengthOfDays(days) }, (_, at) => addDays(days.from, at));

/** 1 on Mondays. */
export const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7;

/** A caller's parameters of a report. */
export interface Span {
  range: ReportRange;
  from?: string | undefined;
  to?: string | undefined;
  /** Only chats and tickets of this team. */
  team_id?: number | undefined;
}

function namedDays({ range, from, to }: Span, today: string): Days {
  switch (range) {
    case 'today':
      return { from: today, to: today };
    case '7d':
      return { from: addDays(today, -6), to: today };
    case '30d':
      return { from: addDays(today, -29), to: today };
    case '90d':
      return { from: addDays(today, -89), to: today };
    case 'month':
      return { from: `${today.slice(0, 8)}01`, to: today };
    case 'custom':
      // The contract refuses custom spans without both dates.
      return { from: from ?? today, to: to ?? today };
  }
}

/** The days of a report, and as many before them. */
export function periodOf(span: Span, today: string): Period {
  const teamId = span.team_id;
  const days = namedDays(span, today);
  const length = lengthOfDays(days);
  return {
    teamId,
    ...days,
    before: { teamId, from: addDays(days.from, -length), to: addDays(days.from, -1) },
  };
}
