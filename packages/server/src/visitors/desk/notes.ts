import type { ParsedInputOf, VisitorNote } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { AppError, notFound } from '../../base/errors.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { lockKnown } from './edit.ts';

interface NoteRow {
  id: number;
  agent_id: number;
  agent_name: string;
  text: string;
  created_at: Date;
  edited_at: Date | null;
}

/** `author` has the agent's current name. `edited_utc` is null for a note that was never edited. */
export const presentNote = (row: NoteRow): VisitorNote => ({
  id: row.id,
  author: { id: row.agent_id, name: row.agent_name },
  text: row.text,
  created_utc: row.created_at.toISOString(),
  edited_utc: row.edited_at?.toISOString() ?? null,
});

/** Notes `n`; `tail` is everything after `where n.site_id = … and`. */
export async function loadNotes(
  { db, site }: Pick<SiteContext, 'db' | 'site'>,
  tail: RawBuilder<unknown>,
): Promise<NoteRow[]> {
  const { rows } = await sql<NoteRow>`
    select n.id, n.agent_id, a.name as agent_name, n.text, n.created_at, n.edited_at
    from visitor_notes n join agents a on a.site_id = n.site_id and a.id = n.agent_id
    where n.site_id = ${site.id} and ${tail}`.execute(db);
  return rows;
}

async function getNote(ctx: SiteContext, which: RawBuilder<unknown>): Promise<NoteRow> {
  const [row] = await loadNotes(ctx, which);
  if (!row) throw notFound('note');
  return row;
}

/** A team note on a person, which no visitor sees. The same client id again returns the same note. */
export async function addVisitorNote(
  ctx: SiteContext,
  { key, client_id, text }: ParsedInputOf<'visitor_notes.create'>,
): Promise<VisitorNote> {
  const { agentId } = agentActor(ctx);
  return ctx.transaction(async (tx) => {
    const visitor = await lockKnown(tx, key);
    await tx.db
      .insertInto('visitor_notes')
      .values({
        site_id: tx.site.id,
        visitor_id: visitor.id,
        client_id,
        agent_id: agentId,
        text,
        created_at: tx.now(),
      })
      .onConflict((conflict) => conflict.constraint('visitor_notes_once').doNothing())
      .execute();
    return presentNote(await getNote(tx, sql`n.client_id = ${client_id} and n.visitor_id = ${visitor.id}`));
  });
}

const foreignNote = ({ agent_name: name }: NoteRow): AppError =>
  new AppError('insufficient_scope', `${name} wrote this note. Only the author can edit it.`, {
    reason: 'note_foreign',
    values: { name },
  });

/** @throws AppError 404, 403 for a colleague's note. */
export async function editVisitorNote(
  ctx: SiteContext,
  { id, text }: ParsedInputOf<'visitor_notes.update'>,
): Promise<VisitorNote> {
  const { agentId } = agentActor(ctx);
  return ctx.transaction(async (tx) => {
    const note = await getNote(tx, sql`n.id = ${id}`);
    if (note.agent_id !== agentId) throw foreignNote(note);
    await tx.db
      .updateTable('visitor_notes')
      .set({ text, edited_at: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    return presentNote(await getNote(tx, sql`n.id = ${id}`));
  });
}

/** @throws AppError 404, 403 for a colleague's note, unless by an admin. */
export async function deleteVisitorNote(
  ctx: SiteContext,
  id: number,
): Promise<{ id: number; deleted: true }> {
  const { agentId, role } = agentActor(ctx);
  const note = await getNote(ctx, sql`n.id = ${id}`);
  if (note.agent_id !== agentId && role !== 'admin') throw foreignNote(note);
  const { rows } = await sql`
    delete from visitor_notes where site_id = ${ctx.site.id} and id = ${id} returning id`.execute(ctx.db);
  if (rows.length === 0) throw notFound('note');
  return { id, deleted: true };
}
