import { type OutputOf, type ReportTeam, TEAMS_MAX } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import { type Measure, type StoredMeasure, storedMeasure } from './measures.ts';
import type { Days, Span } from './period.ts';
import {
  countOf,
  frameOf,
  ofMeasure,
  ratedOf,
  readStoredSums,
  type StoredSum,
  type Sum,
  timesOf,
} from './reading.ts';
import { keptOf } from './sla/slas.ts';

const ARRIVALS = ['chats', 'tickets'] as const;
const MEASURES = [
  ...ARRIVALS,
  'chat_answers',
  'chat_ends',
  'ticket_answers',
  'ticket_ends',
  'sla_policies',
  'ratings',
] as const;

type ByMeasure = ReadonlyMap<StoredMeasure, readonly StoredSum[]>;

/** The sums of one team; without an id, of everybody. */
const sumsOf = (sums: ByMeasure, measures: readonly Measure[], teamId?: number): Sum[] =>
  measures.flatMap((measure) =>
    (sums.get(storedMeasure(measure, teamId)) ?? []).map((sum) => ({ ...sum, measure })),
  );

/** Everybody's sums without those of the teams: those of chats and tickets without a team. */
function remainderOf(all: readonly Sum[], ofTeams: readonly Sum[]): Sum[] {
  const keyOf = ({ measure, bucket }: Sum): string => `${measure} ${bucket}`;
  const taken = Map.groupBy(ofTeams, keyOf);
  return all.flatMap((sum) => {
    const own = taken.get(keyOf(sum)) ?? [];
    const count = sum.count - countOf(own);
    return count === 0
      ? []
      : { ...sum, count, total: sum.total - own.reduce((to, one) => to + one.total, 0) };
  });
}

const arrived = (now: readonly Sum[], earlier: readonly Sum[]) => ({
  chats: countOf(ofMeasure(now, 'chats')),
  tickets: countOf(ofMeasure(now, 'tickets')),
  chats_earlier: countOf(ofMeasure(earlier, 'chats')),
  tickets_earlier: countOf(ofMeasure(earlier, 'tickets')),
});

const figuresOf = (team: ReportTeam['team'], now: readonly Sum[], earlier: readonly Sum[]): ReportTeam => ({
  team,
  ...arrived(now, earlier),
  chat_answers: timesOf(ofMeasure(now, 'chat_answers')),
  chat_ends: timesOf(ofMeasure(now, 'chat_ends')),
  ticket_answers: timesOf(ofMeasure(now, 'ticket_answers')),
  ticket_ends: timesOf(ofMeasure(now, 'ticket_ends')),
  slas: keptOf(ofMeasure(now, 'sla_policies')),
  rated: ratedOf(ofMeasure(now, 'ratings')),
});

/** The teams side by side, and records without one; those with the most chats and tickets first. */
export async function reportTeams(ctx: SiteContext, span: Span): Promise<OutputOf<'reports.teams'>> {
  const { period, head } = await frameOf(ctx, span);
  const teams = await ctx.db
    .selectFrom('teams')
    .select(['id', 'name', 'archived_at'])
    .where('site_id', '=', ctx.site.id)
    .orderBy('id')
    .limit(TEAMS_MAX)
    .execute();
  const ids = [undefined, ...teams.map(({ id }) => id)];
  const read = async (measures: readonly Measure[], days: Days): Promise<ByMeasure> => {
    const stored = ids.flatMap((id) => measures.map((one) => storedMeasure(one, id)));
    return Map.groupBy(await readStoredSums(ctx, stored, days, ['bucket']), ({ measure }) => measure);
  };
  const [now, earlier] = await Promise.all([read(MEASURES, period), read(ARRIVALS, period.before)]);
  const own = teams.map(({ id, name, archived_at }) => ({
    team: { id, name },
    isArchived: archived_at !== null,
    now: sumsOf(now, MEASURES, id),
    earlier: sumsOf(earlier, ARRIVALS, id),
  }));
  const rest = (sums: ByMeasure, ofTeams: readonly Sum[]) => remainderOf(sumsOf(sums, MEASURES), ofTeams);
  const none = figuresOf(
    null,
    rest(
      now,
      own.flatMap((one) => one.now),
    ),
    rest(
      earlier,
      own.flatMap((one) => one.earlier),
    ),
  );
  const all = own
    .filter((one) => !one.isArchived || one.now.length + one.earlier.length > 0)
    .map((one) => figuresOf(one.team, one.now, one.earlier));
  const work = (one: ReportTeam): number => one.chats + one.tickets;
  return { ...head, teams: [...all.toSorted((a, b) => work(b) - work(a)), none] };
}
