import { z } from 'zod';
import { feedback, sessionStatus } from '../chat/conversations.ts';
import { ticketStatus } from '../tickets/tickets.ts';
import { DAY_MS } from '../values/durations.ts';
import {
  REPORT_DAYS_MAX,
  REPORT_FIGURES,
  REPORT_RANGES,
  REPORTS,
  type ReportName,
  type ReportRange,
} from '../values/report-names.ts';
import { SLA_TARGETS } from '../values/tickets/sla-names.ts';
import { agentRef, color, id, page, paging, sessionId, utc } from '../values.ts';
import { visitorRef } from '../visitors/visitors.ts';

const FIGURE_OF_MAX = 40;

const date = z.iso.date('must be a date such as 2026-12-24');

const span = {
  range: z.enum(REPORT_RANGES).default('30d'),
  /** For `custom`; both days are included. */
  from: date.optional(),
  to: date.optional(),
};

const isSpan = ({
  range,
  from,
  to,
}: {
  range: ReportRange;
  from?: string | undefined;
  to?: string | undefined;
}) => {
  if (range !== 'custom') return from === undefined && to === undefined;
  if (from === undefined || to === undefined) return false;
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days >= 1 && days <= REPORT_DAYS_MAX;
};
const SPAN_FAULT = {
  message: `must have from and to, at most ${REPORT_DAYS_MAX} days apart, if it is custom, and neither otherwise`,
  path: ['range'],
};

/** Of everybody, or of one team. */
const spanOfTeam = {
  ...span,
  team_id: id.optional().describe('Only chats and tickets that belong to this team'),
};

const spanInput = z.strictObject(spanOfTeam).refine(isSpan, SPAN_FAULT);
export type ReportSpan = z.input<typeof spanInput>;

/** The report that compares teams has all of them. */
const isOfOneTeam = ({ report, team_id }: { report: ReportName; team_id?: number | undefined }): boolean =>
  report !== 'teams' || team_id === undefined;
const TEAM_FAULT = { message: 'can’t be given with the report teams', path: ['team_id'] };

const days = z.object({ from: z.string(), to: z.string() });
const head = {
  /** Both days are included, in `time_zone`. */
  period: days,
  /** As many days before, for comparison. */
  before: days,
  time_zone: z.string(),
  /** Null: nothing was counted yet. */
  counted_utc: utc.nullable(),
  /** Older records are still being counted: older days may be incomplete. */
  catching_up: z.boolean(),
};
const reportHead = z.object(head);
export type ReportHead = z.infer<typeof reportHead>;

const shares = z.array(z.object({ name: z.string(), count: z.int() }));
const compared = <T extends z.ZodType>(figures: T) => ({ now: figures, earlier: figures });

const volume = z.object({
  ...head,
  ...compared(z.object({ chats: z.int(), tickets: z.int() })),
  days: z.array(z.object({ day: z.string(), chats: z.int(), tickets: z.int() })),
  /** By their current state. */
  chat_states: shares,
  ticket_states: shares,
  ticket_channels: shares,
});

const times = z.object({
  count: z.int(),
  /** Whole seconds, accurate to 9 %; null without data. */
  median_s: z.int().nullable(),
  p90_s: z.int().nullable(),
  mean_s: z.int().nullable(),
});
export type ReportTimes = z.infer<typeof times>;
const timed = z.object({
  ...compared(times),
  days: z.array(z.object({ day: z.string(), count: z.int(), median_s: z.int().nullable() })),
  /** How many took at most this long, and longer than the previous step; null: longer than all steps. */
  spread: z.array(z.object({ up_to_s: z.int().nullable(), count: z.int() })),
});
export type ReportTimed = z.infer<typeof timed>;
const answered = timed.extend({
  /** Counting only the time within office hours; null without office hours. */
  open: times.nullable(),
});

const responses = z.object({
  ...head,
  chat_answers: answered,
  /** Chats in which a person was called but nobody has written: closed by now, or still waiting. */
  chat_unanswered: z.object({ closed: z.int(), waiting: z.int() }),
  chat_ends: timed,
  ticket_answers: answered,
  ticket_ends: timed,
});

const hours = z.object({
  ...head,
  /** How often each weekday (1: Monday) occurs in the period. */
  weekdays: z.array(z.object({ weekday: z.int(), days: z.int() })),
  /** Cells with at least one start. */
  cells: z.array(z.object({ weekday: z.int(), hour: z.int(), chats: z.int(), tickets: z.int() })),
});

const botChats = z.object({ answered: z.int(), unanswered: z.int(), handed_off: z.int() });
const bot = z.object({
  ...head,
  /** Chats in which the bot has written, by outcome. */
  ...compared(botChats),
  days: z.array(botChats.extend({ day: z.string() })),
  /** The bot's messages. */
  messages: z.object({ answered: z.int(), asked_back: z.int(), unknown: z.int() }),
  reasons: shares,
  /** In UTC days, by which they are billed. Null for a team. */
  tokens: z.object({ input: z.int(), output: z.int() }).nullable(),
});

const rated = z.object({
  count: z.int(),
  average: z.number().nullable(),
  /** How often 1, 2, 3, 4 and 5 were given. */
  ratings: z.array(z.int()).length(5),
});
export type ReportRated = z.infer<typeof rated>;
const satisfaction = z.object({
  ...head,
  ...compared(rated),
  days: z.array(z.object({ day: z.string(), count: z.int(), average: z.number().nullable() })),
  /** The agent who had the chat; null: only the bot. */
  team: rated,
  bot: rated,
});

const agents = z.object({
  ...head,
  agents: z.array(
    z.object({
      agent: agentRef,
      chats: z.int(),
      messages: z.int(),
      answers: times,
      ends: times,
      tickets_answered: z.int(),
      tickets_solved: z.int(),
      rated,
    }),
  ),
});

const tags = z.object({
  ...head,
  tags: z.array(
    z.object({
      tag: z.object({ id, name: z.string(), color }),
      chats: z.int(),
      tickets: z.int(),
      chats_earlier: z.int(),
      tickets_earlier: z.int(),
      rated,
    }),
  ),
});

/** Targets of SLAs that were met and missed. */
const kept = z.object({ met: z.int(), missed: z.int() });
export type ReportKept = z.infer<typeof kept>;
/** Null: no team or agent, or it was deleted. */
const keptBy = z.array(kept.extend({ id: id.nullable(), name: z.string().nullable() }));
const slas = z.object({
  ...head,
  ...compared(kept),
  days: z.array(kept.extend({ day: z.string() })),
  targets: z.array(kept.extend({ target: z.enum(SLA_TARGETS) })),
  /** With the most targets first. */
  policies: keptBy,
  teams: keptBy,
  /** By assignee. */
  agents: keptBy,
});

const teamFigures = z.object({
  /** Null: the chats and tickets without a team. */
  team: z.object({ id, name: z.string() }).nullable(),
  chats: z.int(),
  tickets: z.int(),
  chats_earlier: z.int(),
  tickets_earlier: z.int(),
  chat_answers: times,
  chat_ends: times,
  ticket_answers: times,
  ticket_ends: times,
  /** Targets of SLAs. */
  slas: kept,
  rated,
});
export type ReportTeam = z.infer<typeof teamFigures>;
const teams = z.object({ ...head, teams: z.array(teamFigures) });

const started = { visitor: visitorRef, created_utc: utc };
/** A chat or ticket behind a figure. */
export const reportConversation = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('chat'), session_id: sessionId, status: sessionStatus, ...started }),
  z.object({ kind: z.literal('ticket'), id, subject: z.string(), status: ticketStatus, ...started }),
]);
export type ReportConversation = z.infer<typeof reportConversation>;

const named = <N extends ReportName, T extends z.ZodRawShape>(name: N, report: z.ZodObject<T>) =>
  report.extend({ report: z.literal(name) });

/** Any report but the comments, which are a list of their own. */
const anyReport = z.discriminatedUnion('report', [
  named('volume', volume),
  named('responses', responses),
  named('hours', hours),
  named('bot', bot),
  named('satisfaction', satisfaction),
  named('teams', teams),
  named('agents', agents),
  named('tags', tags),
  named('slas', slas),
]);

/** Read from daily sums in the site's time zone, never from chats or tickets. */
export const reportContract = {
  'reports.volume': { input: spanInput, output: volume },
  'reports.responses': { input: spanInput, output: responses },
  'reports.hours': { input: spanInput, output: hours },
  'reports.bot': { input: spanInput, output: bot },
  'reports.satisfaction': { input: spanInput, output: satisfaction },
  /** Visitors' comments, newest first. */
  'reports.comments': {
    input: z
      .strictObject({
        ...spanOfTeam,
        rating: z.int().min(1).max(5).optional(),
        limit: paging.limit,
        cursor: paging.cursor,
        order: paging.order,
      })
      .refine(isSpan, SPAN_FAULT),
    output: page(feedback),
  },
  /** The chats and tickets behind a figure, newest first by the day on which they count. */
  'reports.conversations': {
    input: z
      .strictObject({
        ...spanOfTeam,
        figure: z.enum(REPORT_FIGURES),
        /** The chosen status, source, reason, outcome, agent or tag; for ratings also `team` or `bot`. */
        of: z.string().max(FIGURE_OF_MAX).optional(),
        /** The hour of arrivals, the index in the `spread` of times, or the stars of ratings. */
        part: z.int().min(0).max(23).optional(),
        /** 1: Monday. */
        weekday: z.int().min(1).max(7).optional(),
        limit: paging.limit,
        cursor: paging.cursor,
      })
      .refine(isSpan, SPAN_FAULT),
    output: page(reportConversation),
  },
  /** The teams side by side, those with the most chats and tickets first. */
  'reports.teams': { input: z.strictObject(span).refine(isSpan, SPAN_FAULT), output: teams },
  'reports.agents': { input: spanInput, output: agents },
  'reports.tags': { input: spanInput, output: tags },
  /** The share of SLA targets that were met, of tickets by the day they were created. */
  'reports.slas': { input: spanInput, output: slas },
  /** One report, for other programs. */
  'reports.get': {
    input: z
      .strictObject({
        ...spanOfTeam,
        report: z.enum(REPORTS).exclude(['comments']).default('volume'),
      })
      .refine(isSpan, SPAN_FAULT)
      .refine(isOfOneTeam, TEAM_FAULT),
    output: anyReport,
  },
  /** One report as CSV. Cells that a spreadsheet would run as formulas become text. */
  'reports.export': {
    input: z
      .strictObject({ ...spanOfTeam, report: z.enum(REPORTS) })
      .refine(isSpan, SPAN_FAULT)
      .refine(isOfOneTeam, TEAM_FAULT),
    output: z.object({ name: z.string(), text: z.string() }),
  },
} as const;
