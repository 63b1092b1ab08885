import type {
  OutputOf,
  ParsedInputOf,
  ReportKept,
  ReportName,
  ReportRated,
  ReportTimes,
} from '@foyer/protocol';
import { type CsvCell as Cell, csvText } from '../base/csv.ts';
import type { SiteContext } from '../core/context.ts';
import { reportBot } from './bot-report.ts';
import { listComments } from './lists/comments.ts';
import { reportAgents, reportTags } from './people-and-tags.ts';
import type { Span } from './period.ts';
import { frameOf } from './reading.ts';
import { reportResponses } from './responses.ts';
import { reportSatisfaction } from './satisfaction.ts';
import { reportSlas } from './sla/slas.ts';
import { reportTeams } from './teams.ts';
import { reportHours, reportVolume } from './traffic.ts';

type Table = [head: string[], ...rows: Cell[][]];

/** Only the newest ratings are exported. */
const COMMENTS_MAX = 5_000;
const COMMENTS_A_PAGE = 200;

const timeCells = ({ count, median_s, p90_s, mean_s }: ReportTimes): Cell[] => [
  count,
  median_s,
  p90_s,
  mean_s,
];
const ratedCells = ({ count, average }: ReportRated): Cell[] => [count, average];
const keptCells = ({ met, missed }: ReportKept): Cell[] => [
  met,
  missed,
  met + missed === 0 ? null : Math.round((1000 * met) / (met + missed)) / 10,
];
/** The heads of `timeCells`. */
const timeHeads = (what: string): string[] =>
  ['count', 'median_s', 'p90_s', 'mean_s'].map((one) => `${what}_${one}`);

const TABLES: { [R in ReportName]: (ctx: SiteContext, span: Span) => Promise<Table> } = {
  async volume(ctx, span) {
    const { days } = await reportVolume(ctx, span);
    return [['day', 'chats', 'tickets'], ...days.map((one) => [one.day, one.chats, one.tickets])];
  },
  async responses(ctx, span) {
    const report = await reportResponses(ctx, span);
    const kinds = ['chat_answers', 'chat_ends', 'ticket_answers', 'ticket_ends'] as const;
    return [
      ['what', 'days', 'count', 'median_s', 'p90_s', 'mean_s'],
      ...kinds.flatMap((kind) => [
        [kind, 'period', ...timeCells(report[kind].now)],
        [kind, 'before', ...timeCells(report[kind].earlier)],
        ...report[kind].days.map(({ day, count, median_s }) => [kind, day, count, median_s, null, null]),
      ]),
    ];
  },
  async hours(ctx, span) {
    const { cells } = await reportHours(ctx, span);
    return [
      ['weekday', 'hour', 'chats', 'tickets'],
      ...cells.map((one) => [one.weekday, one.hour, one.chats, one.tickets]),
    ];
  },
  async bot(ctx, span) {
    const { days } = await reportBot(ctx, span);
    return [
      ['day', 'answered', 'unanswered', 'handed_off'],
      ...days.map((one) => [one.day, one.answered, one.unanswered, one.handed_off]),
    ];
  },
  async satisfaction(ctx, span) {
    const { days } = await reportSatisfaction(ctx, span);
    return [['day', 'ratings', 'average'], ...days.map((one) => [one.day, one.count, one.average])];
  },
  async comments(ctx, span) {
    const rows: Cell[][] = [];
    let cursor: string | undefined;
    do {
      const page = await listComments(ctx, { ...span, limit: COMMENTS_A_PAGE, order: 'desc', cursor });
      for (const { created_utc, rating, comment, visitor, agent, session_id } of page.items)
        rows.push([
          created_utc,
          rating,
          comment,
          visitor.name,
          visitor.email,
          agent?.name ?? null,
          session_id,
        ]);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined && rows.length < COMMENTS_MAX);
    return [['created_utc', 'rating', 'comment', 'visitor', 'email', 'agent', 'session_id'], ...rows];
  },
  async agents(ctx, span) {
    const { agents } = await reportAgents(ctx, span);
    return [
      [
        'agent',
        'chats',
        'messages',
        ...timeHeads('first_answer'),
        ...timeHeads('resolution'),
        'tickets_answered',
        'tickets_solved',
        'ratings',
        'average_rating',
      ],
      ...agents.map((one) => [
        one.agent.name,
        one.chats,
        one.messages,
        ...timeCells(one.answers),
        ...timeCells(one.ends),
        one.tickets_answered,
        one.tickets_solved,
        ...ratedCells(one.rated),
      ]),
    ];
  },
  async teams(ctx, span) {
    const { teams } = await reportTeams(ctx, span);
    return [
      [
        'team',
        'chats',
        'tickets',
        'chats_before',
        'tickets_before',
        ...['chat_first_answer', 'chat_resolution', 'ticket_first_answer', 'ticket_resolution'].flatMap(
          timeHeads,
        ),
        'slas_met',
        'slas_missed',
        'slas_met_percent',
        'ratings',
        'average_rating',
      ],
      ...teams.map((one) => [
        one.team?.name ?? null,
        one.chats,
        one.tickets,
        one.chats_earlier,
        one.tickets_earlier,
        ...[one.chat_answers, one.chat_ends, one.ticket_answers, one.ticket_ends].flatMap(timeCells),
        ...keptCells(one.slas),
        ...ratedCells(one.rated),
      ]),
    ];
  },
  async slas(ctx, span) {
    const report = await reportSlas(ctx, span);
    const groups = ['policies', 'teams', 'agents'] as const;
    return [
      ['by', 'name', 'met', 'missed', 'met_percent'],
      ['period', `${report.period.from} to ${report.period.to}`, ...keptCells(report.now)],
      ['before', `${report.before.from} to ${report.before.to}`, ...keptCells(report.earlier)],
      ...report.days.map((one) => ['days', one.day, ...keptCells(one)]),
      ...report.targets.map((one) => ['targets', one.target, ...keptCells(one)]),
      ...groups.flatMap((by) => report[by].map((one) => [by, one.name ?? one.id, ...keptCells(one)])),
    ];
  },
  async tags(ctx, span) {
    const { tags } = await reportTags(ctx, span);
    return [
      ['tag', 'chats', 'tickets', 'chats_before', 'tickets_before', 'ratings', 'average_rating'],
      ...tags.map((one) => [
        one.tag.name,
        one.chats,
        one.tickets,
        one.chats_earlier,
        one.tickets_earlier,
        ...ratedCells(one.rated),
      ]),
    ];
  },
};

/** A report as a CSV file. */
export async function exportReport(
  ctx: SiteContext,
  { report, ...span }: ParsedInputOf<'reports.export'>,
): Promise<OutputOf<'reports.export'>> {
  const { period } = await frameOf(ctx, span);
  const table = await TABLES[report](ctx, span);
  return { name: `${report}-${period.from}-to-${period.to}.csv`, text: csvText(table) };
}
