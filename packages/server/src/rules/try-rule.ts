import type { OutputOf, ParsedInputOf, RuleSubject, RuleTrial } from '@foyer/protocol';
import { subjectsOf } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../core/context.ts';
import { judgeRecords } from '../tickets/conditions/judge.ts';

const EXAMPLES_MAX = 20;

interface Newest {
  id: number;
  session_id: string | null;
  title: string;
}

/** The newest records that aren't spam. */
async function newestOf({ db, site }: SiteContext, kind: RuleSubject, limit: number): Promise<Newest[]> {
  const { rows } = await (kind === 'ticket'
    ? sql<Newest>`
        select id, null as session_id, subject as title from tickets
        where site_id = ${site.id} and spam_at is null order by id desc limit ${limit}`
    : sql<Newest>`
        select c.id, c.session_id, coalesce(c.about, v.name, '') as title
        from conversations c join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
        where c.site_id = ${site.id} and c.spam_at is null order by c.id desc limit ${limit}`
  ).execute(db);
  return rows;
}

/**
 * Which of the newest records match the conditions as they are now. What a trigger requires of a change is ignored,
 * because there is no change here. Modifies nothing.
 */
export async function tryRule(
  ctx: SiteContext,
  { trigger, conditions, limit }: ParsedInputOf<'rules.try'>,
): Promise<OutputOf<'rules.try'>> {
  const trial: RuleTrial = { tried: 0, matched: 0, examples: [] };
  for (const kind of subjectsOf(trigger.on)) {
    const newest = await newestOf(ctx, kind, limit);
    const verdicts = await judgeRecords(
      ctx,
      kind,
      newest.map(({ id }) => id),
      [conditions],
    );
    trial.tried += newest.length;
    for (const { id, session_id, title } of newest) {
      const because = verdicts.get(id)?.[0];
      if (!because) continue;
      trial.matched += 1;
      if (trial.examples.length < EXAMPLES_MAX)
        trial.examples.push({
          ticket_id: kind === 'ticket' ? id : null,
          session_id,
          title,
          because: [...because],
        });
    }
  }
  return trial;
}
