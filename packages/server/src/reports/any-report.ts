import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import { reportBot } from './bot-report.ts';
import { reportAgents, reportTags } from './people-and-tags.ts';
import type { Span } from './period.ts';
import { reportResponses } from './responses.ts';
import { reportSatisfaction } from './satisfaction.ts';
import { reportSlas } from './sla/slas.ts';
import { reportTeams } from './teams.ts';
import { reportHours, reportVolume } from './traffic.ts';

type AnyReport = OutputOf<'reports.get'>;

const READERS: {
  [N in AnyReport['report']]: (
    ctx: SiteContext,
    span: Span,
  ) => Promise<Omit<Extract<AnyReport, { report: N }>, 'report'>>;
} = {
  volume: reportVolume,
  responses: reportResponses,
  hours: reportHours,
  bot: reportBot,
  satisfaction: reportSatisfaction,
  teams: reportTeams,
  agents: reportAgents,
  tags: reportTags,
  slas: reportSlas,
};

/** One report, with its name. */
export async function readReport(
  ctx: SiteContext,
  { report, ...span }: ParsedInputOf<'reports.get'>,
): Promise<AnyReport> {
  // The reader is the one of this name, which TypeScript can't follow.
  return { report, ...(await READERS[report](ctx, span)) } as AnyReport;
}
