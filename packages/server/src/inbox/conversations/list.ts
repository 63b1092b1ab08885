import type { Conversation, ConversationDetail, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { withNotes } from '../../conversations/desk.ts';
import { listSessions } from '../../conversations/lists/list-chats.ts';
import { linksOf, type MessageRow, messageColumns, presentMessage } from '../../conversations/messages.ts';
import { getSession } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { decodeCursor, type Page, pageOf } from '../../db/keyset.ts';
import { currentVisitor, findVisitor } from '../../visitors/rows.ts';
import { searchInbox } from '../search/search.ts';
import { presentConversation, presentDetail, presentMessageOf } from './present.ts';

type List = ParsedInputOf<'conversations.list'>;

/** Null: the site has no such visitor. Undefined: the list isn't of one. */
async function visitorIn(ctx: SiteContext, { key, visitor_id }: List): Promise<number | null | undefined> {
  if (key !== undefined) return (await findVisitor(ctx.db, ctx.site.id, key))?.id ?? null;
  if (visitor_id !== undefined) return (await currentVisitor(ctx.db, ctx.site.id, visitor_id))?.id ?? null;
  return undefined;
}

async function search(
  ctx: SiteContext,
  filter: Omit<ParsedInputOf<'inbox.search'>, 'channel'>,
): Promise<Page<Conversation>> {
  const found = await searchInbox(ctx, { ...filter, channel: 'chat' });
  const items = found.items.flatMap((item) =>
    item.kind === 'chat' ? [presentConversation(item.session)] : [],
  );
  return { ...found, items };
}

/** Chats by filter or text, or one with its notes. */
export async function listConversations(
  ctx: SiteContext,
  input: List,
): Promise<Page<Conversation> | ConversationDetail> {
  const { session_id, q, queue = 'all', sort = 'newest', since, updated_since, ...rest } = input;
  if (session_id !== undefined) return presentDetail(await withNotes(ctx, await getSession(ctx, session_id)));
  const { key: _, visitor_id: __, ...filter } = rest;
  if (q !== undefined) return search(ctx, { ...filter, q });
  const listed = await listSessions(ctx, {
    ...filter,
    queue,
    sort,
    visitorId: await visitorIn(ctx, input),
    startedSince: since === undefined ? undefined : new Date(since),
    activeSince: updated_since === undefined ? undefined : new Date(updated_since),
  });
  return { ...listed, items: listed.items.map(presentConversation) };
}

/** The messages of a chat, in pages. */
export async function listMessages(
  ctx: SiteContext,
  { session_id, limit, cursor, order, after_seq = 0 }: ParsedInputOf<'conversation_messages.list'>,
): Promise<OutputOf<'conversation_messages.list'>> {
  const chat = await getSession(ctx, session_id);
  const [from] = decodeCursor(cursor, 1) ?? [];
  const [way, step] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const beyond = from === undefined ? sql`true` : sql`m.seq ${step} ${from}`;
  const { rows } = await sql<MessageRow>`
    select ${messageColumns} from messages m
    where m.site_id = ${ctx.site.id} and m.conversation_id = ${chat.id} and m.seq > ${after_seq} and ${beyond}
    order by m.seq ${way} limit ${limit + 1}`.execute(ctx.db);
  return pageOf(
    rows,
    limit,
    (row) => [row.seq],
    (row) => presentMessageOf(session_id, presentMessage(ctx.site.id, linksOf(ctx), row)),
  );
}
