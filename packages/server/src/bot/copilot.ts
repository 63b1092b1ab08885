import type { OutputOf, Source } from '@foyer/protocol';
import { sql } from 'kysely';
import type { SiteContext } from '../context.ts';
import { summaryOf } from '../conversations/handoffs.ts';
import { getSession, type SessionRow } from '../conversations/sessions.ts';
import { confidenceOf } from './confidence.ts';
import { extractAnswer } from './extract.ts';
import { withoutCourtesy } from './small-talk.ts';

/** Below this the best passage has nothing to do with the question; above, an agent sees at a glance whether it has. */
const WORTH_SHOWING_FROM = 0.2;
/** What of several messages at once is read as one question. */
const LAST_WORDS_MAX = 5;

/** What the visitor said last, before which an agent or the bot spoke. */
async function lastQuestion({ db, site }: SiteContext, session: SessionRow): Promise<string | null> {
  const { rows } = await sql<{ text: string }>`
    select text from messages
    where site_id = ${site.id} and conversation_id = ${session.id} and sender = 'visitor' and seq > coalesce((
      select seq from messages
      where site_id = ${site.id} and conversation_id = ${session.id} and sender <> 'visitor' and seq < (
        select seq from messages
        where site_id = ${site.id} and conversation_id = ${session.id} and sender = 'visitor'
        order by seq desc limit 1
      )
      order by seq desc limit 1
    ), 0)
    order by seq desc limit ${LAST_WORDS_MAX}`.execute(db);
  return rows.length === 0
    ? null
    : rows
        .map(({ text }) => text)
        .reverse()
        .join('\n');
}

async function sourceOf({ db, site }: SiteContext, articleId: number): Promise<Source | undefined> {
  const row = await db
    .selectFrom('articles')
    .select(['id', 'title', 'slug'])
    .where('site_id', '=', site.id)
    .where('id', '=', articleId)
    .where('status', '=', 'Published')
    .executeTakeFirst();
  return row && { article_id: row.id, title: row.title, slug: row.slug };
}

/**
 * What published knowledge says to the visitor's last question: for an agent to read, change and send. Where the bot
 * would be silent because it isn't sure, an agent still sees the best passage.
 */
export async function suggestReply(
  ctx: SiteContext,
  sessionId: string,
): Promise<OutputOf<'copilot.suggest'>> {
  const session = await getSession(ctx, sessionId);
  const question = await lastQuestion(ctx, session);
  const nothing = { text: null, sources: [], question, by: 'article' as const };
  if (question === null) return nothing;
  const index = await ctx.services.indexes.indexOf(ctx.site.id);
  const hits = index.search(withoutCourtesy(question), 2);
  const [best] = hits;
  if (best === undefined || confidenceOf(hits) < WORTH_SHOWING_FROM) return nothing;
  const source = await sourceOf(ctx, best.passage.articleId);
  const text = extractAnswer(best, question);
  return source && text !== '' ? { ...nothing, text, sources: [source] } : nothing;
}

/** What a colleague must know who takes the chat on. */
export async function summariseChat(
  ctx: SiteContext,
  sessionId: string,
): Promise<OutputOf<'copilot.summarise'>> {
  const session = await getSession(ctx, sessionId);
  return { text: await summaryOf(ctx, session), by: 'extract' };
}
