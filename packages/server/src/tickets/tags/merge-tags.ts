import type { OutputOf, ParsedInputOf, Tag } from '@foyer/protocol';
import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { chatsWithTag, retagChat } from '../../conversations/chat-tags.ts';
import type { SiteContext } from '../../core/context.ts';
import { followTagName } from '../../tags/tag-names.ts';
import { getTag } from '../../tags/tags.ts';
import { attemptOne } from '../bulk.ts';
import { changeTicket } from '../changes.ts';
import { lockTicket } from '../tickets.ts';

/** How many chats, and how many tickets, one call retags: about two seconds of work. */
const MERGED_AT_ONCE = 100;

async function ticketsWithTag({ db, site }: SiteContext, tagId: number): Promise<number[]> {
  const { rows } = await sql<{ ticket_id: number }>`
    select ticket_id from ticket_tags where site_id = ${site.id} and tag_id = ${tagId}
    order by created_at, ticket_id limit ${MERGED_AT_ONCE}`.execute(db);
  return rows.map(({ ticket_id }) => ticket_id);
}

/** @returns false if the tag is in use again */
function removeUnused(ctx: SiteContext, from: Tag, into: Tag): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    // Adding a tag holds its row; a later caller finds the tag deleted.
    const { rows } = await sql`
      select from tags where site_id = ${tx.site.id} and id = ${from.id} for update`.execute(tx.db);
    if (rows.length === 0) return true;
    if ((await chatsWithTag(tx, from.id, 1)).length > 0 || (await ticketsWithTag(tx, from.id)).length > 0)
      return false;
    await followTagName(tx, from.name, into.name);
    await sql`
      insert into agent_skills (site_id, agent_id, tag_id)
      select site_id, agent_id, ${into.id} from agent_skills where site_id = ${tx.site.id} and tag_id = ${from.id}
      on conflict do nothing`.execute(tx.db);
    await tx.db.deleteFrom('tags').where('site_id', '=', tx.site.id).where('id', '=', from.id).execute();
    await tx.emit({
      audit: {
        subject: 'tag',
        subjectId: from.id,
        label: from.name,
        action: 'tags.merge',
        changes: { name: [from.name, into.name] },
      },
    });
    return true;
  });
}

/**
 * Moves some of a tag's chats and tickets to another tag, each in a transaction that reports it, and deletes the
 * tag once nothing has it. If a call is interrupted, both tags remain and the next one continues.
 * @throws AppError 404, 409 for a tag with itself
 */
export async function mergeTags(
  ctx: SiteContext,
  { id, into_id }: ParsedInputOf<'tags.merge'>,
): Promise<OutputOf<'tags.merge'>> {
  const [from, into] = [await getTag(ctx, id), await getTag(ctx, into_id)];
  if (from.id === into.id)
    throw new AppError('conflict', 'You can’t merge a tag into itself.', { reason: 'tag_into_itself' });
  const chats = await chatsWithTag(ctx, id, MERGED_AT_ONCE);
  for (const sessionId of chats) await attemptOne(ctx, (tx) => retagChat(tx, sessionId, id, into_id));
  const tickets = await ticketsWithTag(ctx, id);
  const change = { remove_tags: [from.name], add_tags: [into.name] };
  for (const ticketId of tickets)
    await attemptOne(
      ctx,
      async (tx) => void (await changeTicket(tx, await lockTicket(tx, ticketId), change)),
    );
  const moved = chats.length + tickets.length;
  return { moved, done: moved === 0 && (await removeUnused(ctx, from, into)) };
}
