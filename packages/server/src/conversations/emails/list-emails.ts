import type { ChatEmail } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';

/** More than a chat has; the newest are shown. */
const SHOWN_MAX = 200;

type Attempts = Map<number, ChatEmail['attempts']>;

async function attemptsOf({ db, site }: SiteContext, conversationId: number): Promise<Attempts> {
  const rows = await db
    .selectFrom('mail_attempts')
    .select(['chat_mail_id', 'outcome', 'answer', 'attempted_at'])
    .where('site_id', '=', site.id)
    .where('conversation_id', '=', conversationId)
    .orderBy('id')
    .execute();
  const attempts: Attempts = new Map();
  for (const { chat_mail_id: id, outcome, answer, attempted_at } of rows)
    if (id !== null)
      attempts.set(id, [
        ...(attempts.get(id) ?? []),
        { attempted_utc: attempted_at.toISOString(), outcome, answer },
      ]);
  return attempts;
}

/** The emails of a chat, oldest first: sent ones with their state, received ones with what they quote. */
export async function listChatEmails(ctx: SiteContext, conversationId: number): Promise<ChatEmail[]> {
  const { db, site } = ctx;
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
  const attempts = await attemptsOf(ctx, conversationId);
  return rows
    .filter(({ state }) => state !== 'read')
    .map(({ is_outgoing, from_address, to_address, created_at, state, ...row }) => ({
      ...row,
      direction: is_outgoing ? ('out' as const) : ('in' as const),
      address: (is_outgoing ? to_address : from_address) ?? '',
      state: state === 'read' ? null : state,
      attempts: attempts.get(row.id) ?? [],
      created_utc: created_at.toISOString(),
    }))
    .reverse();
}
