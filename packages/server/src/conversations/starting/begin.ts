import type { Language, ParsedInputOf } from '@foyer/protocol';
import { chooseLanguage, LANGUAGES } from '@foyer/protocol/values/languages';
import { sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import { agentActor, type Guest } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { recordGuest } from '../../visitors/identity/own-visitor.ts';
import { isOpen } from '../../visitors/pages/pages.ts';
import { lockVisitor, scopeOf } from '../../visitors/rows.ts';
import { getSession, type SessionRow } from '../sessions.ts';
import { refuseSpam } from './limits.ts';
import { openByTeam } from './open-chat.ts';

interface Page {
  url: string;
  device_id: number;
  verified: boolean;
  language: string | null;
}

interface GuestPage {
  guest_token: Buffer;
  browser: Guest['browser'];
}

/** The page that the visitor opened last, if it is still open. */
export async function findOpenPage(ctx: SiteContext, visitorId: number): Promise<Page | undefined> {
  const { rows } = await sql<Page>`
    select p.url, p.device_id, p.verified, d.language
    from visitor_pages p join visitor_devices d on d.site_id = p.site_id and d.id = p.device_id
    where p.site_id = ${ctx.site.id} and p.visitor_id = ${visitorId} and ${isOpen(ctx.now())}
    order by p.id desc limit 1`.execute(ctx.db);
  return rows[0];
}

/** Creates the record of a guest with this key, who gets a chat now. */
async function recordGuestOf(tx: SiteContext, key: string): Promise<void> {
  const { rows } = await sql<GuestPage>`
    select p.guest_token, p.guest_browser as browser from visitor_pages p
    where p.site_id = ${tx.site.id} and p.guest_key = ${key} and ${isOpen(tx.now())}
    order by p.id desc limit 1`.execute(tx.db);
  if (rows[0]) await recordGuest(tx, { tokenHash: rows[0].guest_token, key, browser: rows[0].browser });
}

/** The chat's language: what the browser asks for. */
export const languageOf = ({ language }: Pick<Page, 'language'>): Language | null => {
  const found = language === null ? '' : chooseLanguage([language], LANGUAGES, 'en');
  return LANGUAGES.find((one) => one === found) ?? null;
};

/** The chat that was started for this visitor with this client id. */
export async function startedBefore(
  { db, site }: SiteContext,
  visitorId: number,
  clientId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('conversations')
    .select('session_id')
    .where('site_id', '=', site.id)
    .where('visitor_id', '=', visitorId)
    .where('start_client_id', '=', clientId)
    .executeTakeFirst();
  return row?.session_id;
}

/** Runs under the lock of the visitor's row: if two agents write at once, one starts the chat. */
export async function refuseOther(tx: SiteContext, visitorId: number): Promise<void> {
  const open = await tx.db
    .selectFrom('conversations')
    .select('session_id')
    .where('site_id', '=', tx.site.id)
    .where('visitor_id', '=', visitorId)
    .where('status', '<>', 'closed')
    .limit(1)
    .executeTakeFirst();
  if (open)
    throw new AppError('conflict', 'This visitor already has an open chat. Continue there.', {
      reason: 'visitor_in_chat',
    });
}

/** The chat isn't connected: asks the visitor's pages to connect it, and the caller to try again. */
function connectOrRefuse(
  { services, site }: SiteContext,
  key: string,
  code: 'conflict' | 'not_found',
): AppError {
  if (services.liveVisitors.call(site.id, key))
    return new AppError('conflict', 'The visitor’s page is connecting the chat. Try again in a moment.', {
      reason: 'visitor_connecting',
    });
  return new AppError(code, 'This visitor has left the site. Nothing was sent.', { reason: 'visitor_left' });
}

/**
 * An agent starts a chat with a visitor who has a page open; their widget shows it as unread. One at a time; the
 * same client id returns the same chat. Pages of visitors who have never opened the chat are first asked to connect
 * it, and nothing is stored until they do.
 * @throws AppError 404, 429, 409 for a visitor who is blocked, doesn't answer, has an open chat, has left or isn't
 * connected yet
 */
export async function beginChat(
  ctx: SiteContext,
  { key, client_id: clientId, text }: ParsedInputOf<'sessions.start'>,
): Promise<SessionRow> {
  const { agentId, name } = agentActor(ctx);
  return ctx.transaction(async (tx) => {
    await recordGuestOf(tx, key);
    const visitor = await lockVisitor(scopeOf(tx), key);
    if (!visitor) throw connectOrRefuse(tx, key, 'not_found');
    const before = await startedBefore(tx, visitor.id, clientId);
    if (before) return getSession(tx, before);
    if (visitor.blocked_at)
      throw new AppError('conflict', 'This visitor is blocked.', { reason: 'visitor_blocked' });
    await refuseOther(tx, visitor.id);
    await refuseSpam(tx, agentId, visitor.id);
    const page = await findOpenPage(tx, visitor.id);
    if (!page) throw connectOrRefuse(tx, key, 'conflict');
    return openByTeam(tx, {
      visitorId: visitor.id,
      deviceId: page.device_id,
      verified: page.verified,
      pageUrl: page.url,
      language: languageOf(page),
      by: { id: agentId, name },
      said: { clientId, text },
    });
  });
}
