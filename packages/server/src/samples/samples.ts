import type { Samples } from '@foyer/protocol';
import { sql } from 'kysely';
import { deleteChats } from '../conversations/delete-chats.ts';
import type { SiteContext } from '../core/context.ts';
import type { SampleKind } from '../core/mark-samples.ts';
import { eraseVisitor } from '../erasure/erase-visitor.ts';
import { putAway } from '../knowledge/articles/deleted-articles.ts';
import { lockKnowledge } from '../knowledge/knowledge-version.ts';
import { importSampleDrafts, SAMPLE_STARTERS, sampleCategories } from '../knowledge/sample.ts';
import { deleteStarter } from '../knowledge/starters.ts';
import { deleteMacro } from '../tickets/macros/macros.ts';
import { deleteTicket, lockTicket } from '../tickets/tickets.ts';

/** A sample record that still exists. */
interface Sample {
  id: number;
  /** An article's title, a chat's session, a visitor's key, a ticket's subject, a macro's name. */
  name: string;
  /** Whether the team uses it as its own. */
  kept: boolean;
}

const TABLES: Record<SampleKind, string> = {
  article: 'articles',
  category: 'categories',
  starter: 'conversation_starters',
  visitor: 'visitors',
  chat: 'conversations',
  ticket: 'tickets',
  macro: 'macros',
  tag: 'tags',
};

/** The name of a record `r`, and the evidence that the team uses it as its own. */
const EVIDENCE = {
  article: {
    name: sql`r.title`,
    kept: sql`exists (
        select from article_versions v where v.site_id = r.site_id and v.article_id = r.id and v.number > 1)
      or exists (select from article_drafts d where d.site_id = r.site_id and d.article_id = r.id)`,
  },
  starter: {
    name: sql`r.label`,
    kept: sql`not exists (
      select from json_to_recordset(${JSON.stringify(SAMPLE_STARTERS)}::json) as s (label text, prompt text)
      where s.label = r.label and s.prompt = r.prompt)`,
  },
  chat: {
    name: sql`r.session_id`,
    kept: sql`r.ticket_id is not null or exists (
      select from tickets t where t.site_id = r.site_id and t.conversation_id = r.id)`,
  },
  ticket: { name: sql`r.subject`, kept: sql`false` },
  macro: { name: sql`r.name`, kept: sql`r.updated_at > r.created_at` },
  visitor: {
    name: sql`coalesce(r.key, '')`,
    kept: sql`r.erased_at is not null
      or exists (select from conversations c where c.site_id = r.site_id and c.visitor_id = r.id)
      or exists (select from tickets t where t.site_id = r.site_id and t.requester_id = r.id)`,
  },
} as const;

async function find({ db, site }: SiteContext, kind: keyof typeof EVIDENCE): Promise<Sample[]> {
  const { name, kept } = EVIDENCE[kind];
  const { rows } = await sql<Sample>`
    select r.id, ${name} as name, (${kept}) as kept
    from sample_records s join ${sql.table(TABLES[kind])} r on r.site_id = s.site_id and r.id = s.record_id
    where s.site_id = ${site.id} and s.kind = ${kind} and s.removed_at is null
    order by r.id`.execute(db);
  return rows;
}

const going = (samples: readonly Sample[]): Sample[] => samples.filter(({ kept }) => !kept);
const idsOf = (samples: readonly Sample[]): number[] => samples.map(({ id }) => id);

/** Sample visitors who would have no chats or tickets left. */
async function goingVisitors(ctx: SiteContext, chats: readonly Sample[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from sample_records s join visitors v on v.site_id = s.site_id and v.id = s.record_id
    where s.site_id = ${ctx.site.id} and s.kind = 'visitor' and s.removed_at is null and v.erased_at is null
      and not exists (
        select from conversations c
        where c.site_id = v.site_id and c.visitor_id = v.id and c.id <> all (${idsOf(going(chats))}::bigint[]))
      and not exists (
        select from tickets t where t.site_id = v.site_id and t.requester_id = v.id and not exists (
          select from sample_records made
          where made.site_id = t.site_id and made.kind = 'ticket' and made.record_id = t.id))`.execute(
    ctx.db,
  );
  return rows[0]?.count ?? 0;
}

async function hasNoArticle({ db, site }: SiteContext): Promise<boolean> {
  const row = await db
    .selectFrom('articles')
    .select('id')
    .where('site_id', '=', site.id)
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}

/** The sample data that still exists: what would be removed, and what the team uses as its own. */
export async function getSamples(ctx: SiteContext): Promise<Samples> {
  const [articles, starters, chats, tickets, macros] = await Promise.all([
    find(ctx, 'article'),
    find(ctx, 'starter'),
    find(ctx, 'chat'),
    find(ctx, 'ticket'),
    find(ctx, 'macro'),
  ]);
  const kept = articles.filter((article) => article.kept);
  return {
    articles: going(articles).length,
    starters: going(starters).length,
    chats: going(chats).length,
    visitors: await goingVisitors(ctx, chats),
    tickets: tickets.length,
    macros: going(macros).length,
    kept_articles: kept.map(({ id, name }) => ({ id, title: name })),
    kept_starters: starters.length - going(starters).length,
    kept_chats: chats.length - going(chats).length,
    may_create: await hasNoArticle(ctx),
  };
}

/**
 * Creates the samples, only if the site has no article: an import could change one of the team's.
 * @returns the samples
 */
export async function createSamples(ctx: SiteContext): Promise<Samples> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    if (!(await hasNoArticle(tx))) return getSamples(tx);
    await importSampleDrafts(tx);
    const samples = await getSamples(tx);
    await tx.emit({
      audit: {
        subject: 'samples',
        subjectId: null,
        action: 'samples.create',
        changes: { articles: [0, samples.articles], starters: [0, samples.starters] },
      },
    });
    return samples;
  });
}

/** Removes sample categories that are empty and still have their original name. */
async function removeCategories({ db, site }: SiteContext): Promise<void> {
  await sql`
    delete from categories r using sample_records s
    where r.site_id = ${site.id} and s.site_id = r.site_id and s.kind = 'category' and s.record_id = r.id
      and s.removed_at is null and r.name = any (${await sampleCategories()}::text[])
      and not exists (select from articles a where a.site_id = r.site_id and a.category_id = r.id)`.execute(
    db,
  );
}

/** Removes sample tags that are no longer used. */
async function removeTags({ db, site }: SiteContext): Promise<void> {
  await sql`
    delete from tags r using sample_records s
    where r.site_id = ${site.id} and s.site_id = r.site_id and s.kind = 'tag' and s.record_id = r.id
      and s.removed_at is null
      and not exists (select from conversation_tags c where c.site_id = r.site_id and c.tag_id = r.id)
      and not exists (select from ticket_tags t where t.site_id = r.site_id and t.tag_id = r.id)`.execute(db);
}

async function removeChats(tx: SiteContext): Promise<void> {
  const chats = await sql<{ id: number }>`
    select c.id from conversations c join sample_records s on s.site_id = c.site_id and s.record_id = c.id
    where s.site_id = ${tx.site.id} and s.kind = 'chat' and s.removed_at is null
    order by c.id for update of c`.execute(tx.db);
  if (chats.rows.length === 0) return;
  const gone = going(await find(tx, 'chat'));
  await deleteChats(tx, idsOf(gone));
  // Also marks the chats for the reports, whose sums lose them.
  await tx.emit({ notices: gone.map(({ name }) => ({ kind: 'session', sessionId: name })) });
}

/**
 * Removes the sample data, all or nothing; records that the team uses as its own stay. Articles can be restored
 * like any deleted article, the report sums lose the sample chats, and the audit log records the number.
 * @returns what was removed
 */
export async function removeSamples(ctx: SiteContext): Promise<Samples> {
  return ctx.transaction(async (tx) => {
    await lockKnowledge(tx);
    const before = await getSamples(tx);
    await putAway(tx, idsOf(going(await find(tx, 'article'))));
    for (const { id } of going(await find(tx, 'starter'))) await deleteStarter(tx, id);
    await removeCategories(tx);
    for (const { id } of await find(tx, 'ticket')) await deleteTicket(tx, await lockTicket(tx, id));
    await removeChats(tx);
    for (const { id } of going(await find(tx, 'macro'))) await deleteMacro(tx, id);
    await removeTags(tx);
    for (const { name } of going(await find(tx, 'visitor'))) await eraseVisitor(tx, name);
    await noteGone(tx);
    const { articles, starters, chats, visitors, tickets, macros } = before;
    await tx.emit({
      audit: {
        subject: 'samples',
        subjectId: null,
        action: 'samples.remove',
        changes: Object.fromEntries(
          Object.entries({ articles, starters, chats, visitors, tickets, macros }).map(([kind, count]) => [
            kind,
            [count, 0],
          ]),
        ),
      },
    });
    return before;
  });
}

/** Forgets samples that no longer exist. Kept ones stay marked as samples. */
async function noteGone(tx: SiteContext): Promise<void> {
  for (const [kind, table] of Object.entries(TABLES))
    await sql`
      update sample_records s set removed_at = ${tx.now()}
      where s.site_id = ${tx.site.id} and s.kind = ${kind} and s.removed_at is null and not exists (
        select from ${sql.table(table)} r where r.site_id = s.site_id and r.id = s.record_id
          and ${kind === 'visitor' ? sql`r.erased_at is null` : sql`true`})`.execute(tx.db);
}
