import type { OutputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { type Days, daysOf, type Span } from './period.ts';
import { countOf, frameOf, ofMeasure, readSums, type Sum, sharesOf } from './reading.ts';

const bySubject = (sums: readonly Sum[], subject: string): number =>
  countOf(sums.filter((sum) => sum.subject === subject));

const outcomesOf = (sums: readonly Sum[]) => ({
  answered: bySubject(sums, 'answered'),
  unanswered: bySubject(sums, 'unanswered'),
  handed_off: bySubject(sums, 'handed_off'),
});

/** They are billed by site, so they aren't counted by team. */
async function tokensOf({ db, site }: SiteContext, { from, to, teamId }: Days) {
  if (teamId !== undefined) return null;
  const { rows } = await sql<{ input: number; output: number }>`
    select coalesce(sum(bot_tokens_input), 0)::bigint as input, coalesce(sum(bot_tokens_output), 0)::bigint as output
    from usage_days where site_id = ${site.id} and day between ${from} and ${to}`.execute(db);
  return rows[0] ?? { input: 0, output: 0 };
}

/** The chats that the bot handles alone, and those that it leaves to people. */
export async function reportBot(ctx: SiteContext, span: Span): Promise<OutputOf<'reports.bot'>> {
  const { period, head } = await frameOf(ctx, span);
  const [chats, earlier, rest, tokens] = await Promise.all([
    readSums(ctx, ['bot_chats'], period, ['day', 'subject']),
    readSums(ctx, ['bot_chats'], period.before, ['subject']),
    readSums(ctx, ['bot_turns', 'chat_calls'], period, ['subject']),
    tokensOf(ctx, period),
  ]);
  const turns = ofMeasure(rest, 'bot_turns');
  const byDay = Map.groupBy(chats, ({ day }) => day);
  return {
    ...head,
    now: outcomesOf(chats),
    earlier: outcomesOf(earlier),
    days: daysOf(period).map((day) => ({ day, ...outcomesOf(byDay.get(day) ?? []) })),
    messages: {
      answered: bySubject(turns, 'answered'),
      asked_back: bySubject(turns, 'asked_back'),
      unknown: bySubject(turns, 'unknown'),
    },
    reasons: sharesOf(rest, 'chat_calls'),
    tokens,
  };
}
