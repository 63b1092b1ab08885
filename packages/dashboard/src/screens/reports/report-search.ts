import type { ReportSpan } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import {
  REPORT_DAYS_MAX,
  REPORT_FIGURES,
  REPORT_RANGES,
  REPORTS,
  type ReportFigure,
  type ReportName,
  type ReportRange,
} from '@foyer/protocol/values/report-names';
import { given, idOf, oneOf, textOf } from '../../address-search.ts';

/** The reports with a page of their own. Comments are part of satisfaction. */
export const REPORT_TABS = REPORTS.filter((name) => name !== 'comments');
export type ReportTab = Exclude<ReportName, 'comments'>;

/** A figure whose conversations are listed, and the chosen part of it. */
export interface Figure {
  show: ReportFigure;
  of?: string;
  part?: number;
  weekday?: number;
  /** For fewer days than the report's: the first one, and their number. */
  day?: string;
  days?: number;
}

/** The report's state in the address, so that a link shows a colleague the same. */
export interface ReportSearch extends Partial<Figure> {
  report?: ReportTab;
  range?: ReportRange;
  from?: string;
  to?: string;
  of_team?: number;
  rating?: number;
}

const isDate = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));

const OF_MAX = 40;

/** A whole number from `least` to `most`. */
function numberOf(value: unknown, least: number, most: number): number | undefined {
  const number = Number(textOf(value) ?? Number.NaN);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}

/** The figure in an address. */
function readFigure(search: Record<string, unknown>): Partial<Figure> {
  const show = oneOf(search.show, REPORT_FIGURES);
  if (!show) return {};
  const day = isDate(search.day) ? search.day : undefined;
  return given<Figure>({
    show,
    of: textOf(search.of, OF_MAX),
    part: numberOf(search.part, 0, 23),
    weekday: numberOf(search.weekday, 1, 7),
    day,
    days: day ? (numberOf(search.days, 1, REPORT_DAYS_MAX) ?? 1) : undefined,
  });
}

/** The figure whose conversations are listed. */
export const figureOf = ({ show, of, part, weekday, day, days }: ReportSearch): Figure | undefined =>
  show && given<Figure>({ show, of, part, weekday, day, days });

/** Without the figure. */
export function withoutFigure(search: ReportSearch): ReportSearch {
  const { show: _, of: __, part: ___, weekday: ____, day: _____, days: ______, ...rest } = search;
  return rest;
}

/** The days of a figure: its own, or the report's. */
export function spanOfFigure({ day, days = 1 }: Figure, span: ReportSpan): ReportSpan {
  if (!day) return span;
  const { team_id } = span;
  const to = new Date(Date.parse(day) + (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return { range: 'custom', from: day, to, ...given({ team_id }) };
}

/** Reads the report's state from an address, ignoring everything else. */
export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const report = REPORT_TABS.find((one) => one === search.report);
  const range = REPORT_RANGES.find((one) => one === search.range);
  const rating = [1, 2, 3, 4, 5].find((one) => one === Number(search.rating));
  return {
    ...(report && report !== 'volume' ? { report } : {}),
    ...(range && range !== '30d' ? { range } : {}),
    ...(range === 'custom' && isDate(search.from) ? { from: search.from } : {}),
    ...(range === 'custom' && isDate(search.to) ? { to: search.to } : {}),
    ...given({ of_team: idOf(search.of_team) }),
    ...(rating ? { rating } : {}),
    ...readFigure(search),
  };
}

/** The period and team for the server; undefined while custom dates are invalid. */
export function spanOf({ report, range = '30d', from, to, of_team }: ReportSearch): ReportSpan | undefined {
  // The report by team shows them all.
  const of = given({ team_id: report === 'teams' ? undefined : of_team });
  if (range !== 'custom') return { range, ...of };
  if (!from || !to) return undefined;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days >= 1 && days <= REPORT_DAYS_MAX ? { range, from, to, ...of } : undefined;
}
