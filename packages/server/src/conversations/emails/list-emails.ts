import type { ChatEmail } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';

/** More than a chat has; the newest are shown. */
const SHOWN_MAX = 200;

/** The emails of a chat, oldest first: sent ones with their state, received ones with what they quote. */
export async function listChatEmails(
  { db, site }: SiteContext,
  conversationId: number,
): Promise<ChatEmail[]> {
  const rows = await db
    .selectFrom('chat_mails')
    .select([
      'id',
      'is_outgoing',
      'from_seq',
      'to_seq',
      'from_address',
      'to_address',
      'subject',
      'quoted',
      'state',
      'error',
      'created_at',
    ])
    .where('site_id', '=', site.id)
    .where('conversation_id', '=', conversationId)
    .orderBy('id', 'desc')
    .limit(SHOWN_MAX)
    .execute();
  return rows
    .filter(({ state }) => state !== 'read')
    .map(({ is_outgoing, from_address, to_address, created_at, state, ...row }) => ({
      ...row,
      direction: is_outgoing ? ('out' as const) : ('in' as const),
      address: (is_outgoing ? to_address : from_address) ?? '',
      state: state === 'read' ? null : state,
      created_utc: created_at.toISOString(),
    }))
    .reverse();
}
