import type { OutputOf } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import type { Span } from './period.ts';
import { countOf, frameOf, ofMeasure, ratedOf, readSums, type Sum, timesOf } from './reading.ts';

/** Only the most used tags are shown; a site may have thousands. */
const TAGS_SHOWN = 100;
const AGENTS_SHOWN = 500;

/** Sums by the id in their subject. */
const bySubject = (sums: readonly Sum[]): Map<number, Sum[]> =>
  Map.groupBy(
    sums.filter(({ subject }) => subject !== ''),
    ({ subject }) => Number(subject),
  );

/** The work of each agent, including former ones. */
export async function reportAgents(ctx: SiteContext, span: Span): Promise<OutputOf<'reports.agents'>> {
  const { period, head } = await frameOf(ctx, span);
  const measures = [
    'agent_chats',
    'agent_answers',
    'agent_ends',
    'agent_ticket_answers',
    'agent_ticket_ends',
    'ratings',
  ] as const;
  const found = bySubject(await readSums(ctx, measures, period, ['subject', 'bucket']));
  const people = await ctx.db
    .selectFrom('agents')
    .select(['id', 'name'])
    .where('site_id', '=', ctx.site.id)
    .where('id', 'in', [...found.keys(), 0])
    .orderBy('id')
    .limit(AGENTS_SHOWN)
    .execute();
  const agents = people.map(({ id, name }) => {
    const sums = found.get(id) ?? [];
    const written = ofMeasure(sums, 'agent_chats');
    return {
      agent: { id, name },
      chats: countOf(written),
      messages: written.reduce((all, { total }) => all + total, 0),
      answers: timesOf(ofMeasure(sums, 'agent_answers')),
      ends: timesOf(ofMeasure(sums, 'agent_ends')),
      tickets_answered: countOf(ofMeasure(sums, 'agent_ticket_answers')),
      tickets_solved: countOf(ofMeasure(sums, 'agent_ticket_ends')),
      rated: ratedOf(ofMeasure(sums, 'ratings')),
    };
  });
  const work = (one: (typeof agents)[number]): number => one.chats + one.tickets_answered;
  return { ...head, agents: agents.toSorted((a, b) => work(b) - work(a)) };
}

/** What chats and tickets are about: their tags, the most frequent first. */
export async function reportTags(ctx: SiteContext, span: Span): Promise<OutputOf<'reports.tags'>> {
  const { period, head } = await frameOf(ctx, span);
  const [sums, earlier] = await Promise.all([
    readSums(ctx, ['chat_tags', 'ticket_tags', 'tag_ratings'], period, ['subject', 'bucket']),
    readSums(ctx, ['chat_tags', 'ticket_tags'], period.before, ['subject']),
  ]);
  const uses = ([, all]: readonly [number, Sum[]]): number =>
    countOf(ofMeasure(all, 'chat_tags')) + countOf(ofMeasure(all, 'ticket_tags'));
  const most = [...bySubject(sums)].toSorted((a, b) => uses(b) - uses(a)).slice(0, TAGS_SHOWN);
  const before = bySubject(earlier);
  const known = await ctx.db
    .selectFrom('tags')
    .select(['id', 'name', 'color'])
    .where('site_id', '=', ctx.site.id)
    .where('id', 'in', [...most.map(([id]) => id), 0])
    .execute();
  const byId = new Map(known.map((tag) => [tag.id, tag]));
  const tags = most.flatMap(([id, all]) => {
    const tag = byId.get(id);
    // The tag was deleted since.
    if (!tag) return [];
    const old = before.get(id) ?? [];
    return {
      tag,
      chats: countOf(ofMeasure(all, 'chat_tags')),
      tickets: countOf(ofMeasure(all, 'ticket_tags')),
      chats_earlier: countOf(ofMeasure(old, 'chat_tags')),
      tickets_earlier: countOf(ofMeasure(old, 'ticket_tags')),
      rated: ratedOf(ofMeasure(all, 'tag_ratings')),
    };
  });
  return { ...head, tags };
}
