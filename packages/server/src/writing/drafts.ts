import {
  DRAFT_KEEP_DAYS,
  DRAFTS_MAX,
  type DraftKind,
  type DraftPlace,
  type Mention,
  type OutputOf,
  type ParsedInputOf,
  type SavedDraft,
} from '@foyer/protocol';
import { DAY_MS, HOUR_MS } from '@foyer/protocol/values/durations';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { agentActor } from '../core/actor.ts';
import type { SiteContext } from '../core/context.ts';
import { cursorId, type Page, pageOf } from '../db/keyset.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { type Conversation, findConversation } from './conversation.ts';

const PRUNE_EVERY_MS = HOUR_MS;
const PRUNE_BATCH = 500;

interface DraftRow {
  kind: DraftKind;
  text: string;
  mentions: Mention[];
  version: number;
  updated_at: Date;
}

const present = ({ kind, text, mentions, version, updated_at }: DraftRow): SavedDraft => ({
  kind,
  text,
  mentions,
  version,
  updated_utc: updated_at.toISOString(),
});

/** The caller's own drafts in a chat or ticket. Others' drafts are inaccessible. */
const ownIn = (ctx: SiteContext, { conversation_id, ticket_id }: Conversation): RawBuilder<SqlBool> => sql`
  site_id = ${ctx.site.id} and agent_id = ${agentActor(ctx).agentId}
  and conversation_id is not distinct from ${conversation_id}::bigint
  and ticket_id is not distinct from ${ticket_id}::bigint`;

async function readDrafts(ctx: SiteContext, place: Conversation): Promise<DraftRow[]> {
  const { rows } = await sql<DraftRow>`
    select kind, text, mentions, version, updated_at from drafts where ${ownIn(ctx, place)} order by kind`.execute(
    ctx.db,
  );
  return rows;
}

/** @throws AppError 404 for a chat or a ticket that the site does not have. */
export async function getDrafts(
  ctx: SiteContext,
  input: ParsedInputOf<'drafts.get'>,
): Promise<OutputOf<'drafts.get'>> {
  return { drafts: (await readDrafts(ctx, await findConversation(ctx, input))).map(present) };
}

interface PlaceRow {
  session_id: string | null;
  ticket_id: number | null;
  kind: DraftKind;
  version: number;
}

/** The conversations of the agent's own drafts, by time of saving. */
export async function listDrafts(
  ctx: SiteContext,
  { limit, cursor, order }: ParsedInputOf<'drafts.list'>,
): Promise<Page<DraftPlace>> {
  const after = cursorId(cursor);
  const step = sql.raw(order === 'asc' ? '>' : '<');
  const { rows } = await sql<PlaceRow>`
    select c.session_id, d.ticket_id, d.kind, d.version from drafts d
    left join conversations c on c.site_id = d.site_id and c.id = d.conversation_id
    where d.site_id = ${ctx.site.id} and d.agent_id = ${agentActor(ctx).agentId}
      and ${after === undefined ? sql`true` : sql`d.version ${step} ${after}`}
    order by d.version ${sql.raw(order)} limit ${limit + 1}`.execute(ctx.db);
  return pageOf(
    rows,
    limit,
    ({ version }) => [version],
    ({ session_id, ticket_id, kind }) => ({ session_id, ticket_id, kind }),
  );
}

/** Two browsers may save at once: each statement changes only the version that its caller has seen. */
function write(
  ctx: SiteContext,
  place: Conversation,
  { kind, text, mentions, base_version: seen }: ParsedInputOf<'drafts.save'>,
): RawBuilder<DraftRow> {
  if (text === '') {
    return sql<DraftRow>`
      delete from drafts where ${ownIn(ctx, place)} and kind = ${kind} and version = ${seen}::bigint
      returning kind, text, mentions, version, updated_at`;
  }
  return sql<DraftRow>`
    insert into drafts (site_id, agent_id, conversation_id, ticket_id, kind, text, mentions, updated_at)
    values (${ctx.site.id}, ${agentActor(ctx).agentId}, ${place.conversation_id}, ${place.ticket_id}, ${kind}, ${text},
      ${JSON.stringify(mentions)}, ${ctx.now()})
    on conflict on constraint drafts_once do update
      set text = excluded.text, mentions = excluded.mentions, version = excluded.version, updated_at = excluded.updated_at
      where drafts.version = ${seen}::bigint
    returning kind, text, mentions, version, updated_at`;
}

/** Deletes the oldest drafts over the limit: nobody returns to a draft from hundreds of chats ago. */
const dropOldest = (ctx: SiteContext) => sql`
  delete from drafts d using (
    select version from drafts where site_id = ${ctx.site.id} and agent_id = ${agentActor(ctx).agentId}
    order by version desc offset ${DRAFTS_MAX}
  ) old where d.site_id = ${ctx.site.id} and d.agent_id = ${agentActor(ctx).agentId} and d.version = old.version`;

/**
 * Saves the agent's draft, unless another of their browsers has saved a different text meanwhile; the same text
 * counts as saved. Notifies the agent's other browsers.
 * @throws AppError 404 for an unknown chat or ticket
 */
export async function saveDraft(
  ctx: SiteContext,
  input: ParsedInputOf<'drafts.save'>,
): Promise<OutputOf<'drafts.save'>> {
  const place = await findConversation(ctx, input);
  return ctx.transaction(async (tx) => {
    const [written] = (await write(tx, place, input).execute(tx.db)).rows;
    if (!written) {
      const there = (await readDrafts(tx, place)).find(({ kind }) => kind === input.kind);
      return { saved: (there?.text ?? '') === input.text, draft: there ? present(there) : null };
    }
    if (input.base_version === null) await dropOldest(tx).execute(tx.db);
    const draft = input.text === '' ? null : present(written);
    await tx.emit({
      notices: [
        {
          kind: 'draft',
          agentId: agentActor(tx).agentId,
          sessionId: input.session_id ?? null,
          ticketId: input.ticket_id ?? null,
          draftKind: input.kind,
          version: draft?.version ?? null,
        },
      ],
    });
    return { saved: true, draft };
  });
}

const isOld = (now: Date) => sql<SqlBool>`updated_at < ${new Date(now.getTime() - DRAFT_KEEP_DAYS * DAY_MS)}`;

/** Deletes abandoned drafts. */
export const draftClock: RecurringJob = {
  name: 'drafts.prune',
  everyMs: PRUNE_EVERY_MS,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", min(version) as id from (
      select site_id, version from drafts where ${isOld(now)} order by updated_at limit ${PRUNE_BATCH}
    ) old group by site_id limit ${limit}`,
  async run(ctx) {
    await sql`
      delete from drafts d using (
        select version from drafts where site_id = ${ctx.site.id} and ${isOld(ctx.now())}
        order by updated_at limit ${PRUNE_BATCH} for update skip locked
      ) old where d.site_id = ${ctx.site.id} and d.version = old.version`.execute(ctx.db);
  },
};
