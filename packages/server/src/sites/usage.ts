import { type OutputOf, PLAN_LIMITS, USAGE_DAYS } from '@foyer/protocol';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { countAgents } from './agents/agents.ts';
import { getSite } from './sites.ts';

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

/**
 * The billing cycle containing `now`: a month from the site's creation day, from midnight UTC to midnight UTC. In a
 * month without that day it begins on the last day.
 */
export function billingCycle(createdAt: Date, now: Date): { start: Date; end: Date } {
  const [year, month, day] = [createdAt.getUTCFullYear(), createdAt.getUTCMonth(), createdAt.getUTCDate()];
  const startOf = (months: number): Date => {
    const daysInMonth = new Date(Date.UTC(year, month + months + 1, 0)).getUTCDate();
    return new Date(Date.UTC(year, month + months, Math.min(day, daysInMonth)));
  };
  const passed = (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() - month;
  const current = Math.max(0, startOf(passed) <= now ? passed : passed - 1);
  return { start: startOf(current), end: startOf(current + 1) };
}

/** Totals of the current billing cycle, in UTC days. `agents` is the current number. */
export async function getUsage(ctx: SiteContext): Promise<OutputOf<'usage.get'>> {
  const site = await getSite(ctx.db, ctx.site.id);
  const { start, end } = billingCycle(site.created_at, ctx.now());
  const { replies, input, output } = await ctx.db
    .selectFrom('usage_days')
    .select([
      sql<number>`coalesce(sum(ai_replies), 0)::bigint`.as('replies'),
      sql<number>`coalesce(sum(bot_tokens_input), 0)::bigint`.as('input'),
      sql<number>`coalesce(sum(bot_tokens_output), 0)::bigint`.as('output'),
    ])
    .where('site_id', '=', ctx.site.id)
    .where('day', '>=', dayOf(start))
    .where('day', '<', dayOf(end))
    .executeTakeFirstOrThrow();
  return {
    plan: site.plan,
    cycle_start_utc: start.toISOString(),
    cycle_end_utc: end.toISOString(),
    ai_replies: replies,
    bot_tokens: input + output,
    bot_tokens_input: input,
    bot_tokens_output: output,
    agents: await countAgents(ctx),
    agent_limit: PLAN_LIMITS[site.plan].agents,
  };
}

/** The usage of each of the last days, including days without any. */
export async function getUsageDays(ctx: SiteContext): Promise<OutputOf<'usage.days'>> {
  const today = dayOf(ctx.now());
  const first = dayOf(new Date(ctx.now().getTime() - (USAGE_DAYS - 1) * DAY_MS));
  const { rows: days } = await sql<OutputOf<'usage.days'>['days'][number]>`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(u.ai_replies, 0) as ai_replies,
      coalesce(u.bot_tokens_input, 0) as bot_tokens_input, coalesce(u.bot_tokens_output, 0) as bot_tokens_output,
      (
        select coalesce(sum(t.requests), 0)::bigint from api_tokens a
        join api_token_days t on t.site_id = a.site_id and t.token_id = a.id
        where a.site_id = ${ctx.site.id} and t.day = d.day::date
      ) as requests
    from generate_series(${first}::date, ${today}::date, interval '1 day') d (day)
    left join usage_days u on u.site_id = ${ctx.site.id} and u.day = d.day::date
    order by d.day`.execute(ctx.db);
  return { days };
}

interface Tokens {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/**
 * Counts a bot's reply in the transaction that stores it. Locks the day's row until the commit, so it should be the
 * last statement.
 */
export const countBotReply = (ctx: SiteContext, tokens: Tokens): Promise<void> => count(ctx, 1, tokens);

/** Counts tokens of a model that weren't used for a reply: for the team, or without a result. */
export const countTokens = (ctx: SiteContext, tokens: Tokens): Promise<void> => count(ctx, 0, tokens);

async function count(
  ctx: SiteContext,
  replies: number,
  { inputTokens, outputTokens }: Tokens,
): Promise<void> {
  await sql`
    insert into usage_days (site_id, day, ai_replies, bot_tokens_input, bot_tokens_output)
    values (${ctx.site.id}, ${dayOf(ctx.now())}, ${replies}, ${inputTokens}, ${outputTokens})
    on conflict (site_id, day) do update set
      ai_replies = usage_days.ai_replies + excluded.ai_replies,
      bot_tokens_input = usage_days.bot_tokens_input + excluded.bot_tokens_input,
      bot_tokens_output = usage_days.bot_tokens_output + excluded.bot_tokens_output`.execute(ctx.db);
}
