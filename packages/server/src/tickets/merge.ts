import { type ParsedInputOf, type Reply, TICKET_TEXT_MAX } from '@foyer/protocol';
import { MERGE_LINES } from '@foyer/protocol/values/merge-lines';
import { sentenceWith } from '@foyer/protocol/values/sentences';
import { sql } from 'kysely';
import { inboxPath } from '../base/desk-paths.ts';
import { AppError, notFound } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { attemptOne } from './bulk.ts';
import { reportChange, writeTicket } from './changes.ts';
import { authorOf } from './replies/authors.ts';
import { addReply } from './replies/replies.ts';
import { listReplies } from './replies/reply-rows.ts';
import { merged } from './states.ts';
import { type TicketRow, ticketsOfIds } from './tickets.ts';

/** Locks the tickets in the order of their ids, like all code that locks several. @throws AppError 404 */
async function lockTickets(tx: SiteContext, ids: readonly number[]): Promise<TicketRow[]> {
  await sql`
    select id from tickets where site_id = ${tx.site.id} and id = any (${ids}::bigint[])
    order by id for update`.execute(tx.db);
  const rows = await ticketsOfIds(tx, ids);
  if (rows.length < ids.length) throw notFound('ticket');
  return rows;
}

/** A link to a ticket, for a note. */
const linkTo = ({ services }: SiteContext, id: number) => ({
  id,
  address: `${services.address.url}${inboxPath(null, id)}`,
});

function said({ author, body, created_utc, attachments }: Reply): string {
  const { name } = author;
  const when = created_utc.slice(0, 16).replace('T', ' ');
  const head = name === '' ? MERGE_LINES.requester_said : MERGE_LINES.said;
  return [sentenceWith(head, { name, when }), body, ...attachments.map((file) => `[${file.name}]`)].join(
    '\n',
  );
}

/** The public conversation as a note for the team: the other ticket's requester may be somebody else. */
async function conversationNote(tx: SiteContext, { id, subject, description }: TicketRow): Promise<string> {
  const replies = (await listReplies(tx, id)).filter(({ type }) => type === 'public');
  const head = sentenceWith(MERGE_LINES.came_in, { ...linkTo(tx, id), subject });
  const text = [head, description, ...replies.map(said)].join('\n\n');
  if (text.length <= TICKET_TEXT_MAX) return text;
  const rest = `\n\n${sentenceWith(MERGE_LINES.rest, linkTo(tx, id))}`;
  return `${text.slice(0, TICKET_TEXT_MAX - rest.length).toWellFormed()}${rest}`;
}

function checkMergeable(into: TicketRow, sources: readonly TicketRow[], acrossRequesters: boolean): void {
  merged(into.status);
  for (const { status, requester_id } of sources) {
    merged(status);
    if (requester_id !== into.requester_id && !acrossRequesters)
      throw new AppError(
        'conflict',
        'These tickets belong to different customers. Set across_requesters to merge them anyway.',
        {
          reason: 'merge_requesters',
        },
      );
  }
}

type MergeInput = ParsedInputOf<'tickets.merge'>;

async function mergeAll(
  tx: SiteContext,
  { into_id, ids, across_requesters }: MergeInput,
): Promise<TicketRow> {
  const rows = await lockTickets(tx, [...new Set([into_id, ...ids])]);
  const target = rows.find(({ id }) => id === into_id);
  if (!target) throw notFound('ticket');
  const sources = rows.filter(({ id }) => id !== into_id);
  checkMergeable(target, sources, across_requesters);
  const author = await authorOf(tx);
  let into = target;
  for (const source of sources) {
    const note = await conversationNote(tx, source);
    into = (await addReply(tx, into, { type: 'note', body: note, author })).row;
    const body = sentenceWith(MERGE_LINES.goes_on, linkTo(tx, into_id));
    const { row } = await addReply(tx, source, { type: 'note', body, author });
    const after = await writeTicket(tx, row, {
      status: merged(row.status),
      merged_into_id: into_id,
      unread_since: null,
    });
    await reportChange(tx, row, after, { action: 'merged' });
  }
  const unread = rows.find(({ unread_since }) => unread_since !== null);
  return unread && into.unread_since === null
    ? writeTicket(tx, into, { unread_since: unread.unread_since })
    : into;
}

/**
 * Closes tickets and merges them into another, for good. Their conversations are added to it as notes, which no
 * requester sees, and each links to it. Later replies of their requesters go there if it is theirs too, otherwise
 * into a follow-up. The remaining ticket keeps assignee, priority and tags; it becomes unread if one of them was.
 * @throws AppError 404; 409 for a closed ticket, for merging a ticket into itself, and across requesters unless
 * confirmed
 */
export async function mergeTickets(ctx: SiteContext, input: MergeInput): Promise<TicketRow> {
  if (input.ids.includes(input.into_id))
    throw new AppError('conflict', 'You can’t merge a ticket into itself.', { reason: 'merge_itself' });
  let into: TicketRow | undefined;
  await attemptOne(ctx, async (tx) => {
    into = await mergeAll(tx, input);
  });
  if (!into) throw notFound('ticket');
  return into;
}
