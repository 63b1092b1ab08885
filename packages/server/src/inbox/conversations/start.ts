import { randomUUID } from 'node:crypto';
import type { Conversation, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { decodeAttachments } from '../../attachments/attachments.ts';
import { refuseMalware } from '../../attachments/scan.ts';
import { AppError, notFound } from '../../base/errors.ts';
import { sendMessage } from '../../conversations/chat.ts';
import { getSession, presentSession } from '../../conversations/sessions.ts';
import { findOpenPage, languageOf, refuseOther, startedBefore } from '../../conversations/starting/begin.ts';
import { refuseSpam } from '../../conversations/starting/limits.ts';
import { openByTeam } from '../../conversations/starting/open-chat.ts';
import { agentActor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { tellVisitor } from '../../visitors/identity/upsert.ts';
import { currentVisitor, lockVisitor, scopeOf, type VisitorRow } from '../../visitors/rows.ts';
import { forVisitor, inNameOf } from './acting.ts';
import { presentConversation } from './present.ts';

type Start = ParsedInputOf<'conversations.create'>;

/** Locks the visitor, so that of several calls for one, each sees the chat of the one before. */
async function visitorFor(tx: SiteContext, { key, visitor_id }: Start): Promise<VisitorRow> {
  const known =
    key === undefined
      ? await currentVisitor(tx.db, tx.site.id, visitor_id ?? 0)
      : await tellVisitor(scopeOf(tx), { key, trust: 'vouched', isSeen: false });
  const visitor = known?.key ? await lockVisitor(scopeOf(tx), known.key) : undefined;
  if (!visitor) throw notFound('visitor');
  if (visitor.blocked_at)
    throw new AppError('conflict', 'This visitor is blocked.', { reason: 'visitor_blocked' });
  return visitor;
}

/** Where the visitor sees the chat: on the page that they have open, else in the browser they used last. */
async function browserOf(
  tx: SiteContext,
  visitorId: number,
): Promise<{ device_id: number | null; url: string | null; language: string | null }> {
  const page = await findOpenPage(tx, visitorId);
  if (page) return page;
  const { rows } = await sql<{ device_id: number; language: string | null }>`
    select id as device_id, language from visitor_devices
    where site_id = ${tx.site.id} and visitor_id = ${visitorId}
    order by seen_at desc nulls last, id desc limit 1`.execute(tx.db);
  return { device_id: null, language: null, ...rows[0], url: null };
}

/**
 * Starts a chat with a visitor, who needn't be on the site. The same client id returns the same chat.
 * @throws AppError 404, 429, 409 for a visitor who is blocked, and for the team and the bot also if they have an open
 * chat or leave too much unanswered
 */
export async function start(ctx: SiteContext, input: Start): Promise<Conversation> {
  const { sender, client_id: clientId = randomUUID(), text, page_url } = input;
  const said = { clientId, text, files: decodeAttachments(input.attachments ?? []) };
  await refuseMalware(ctx, said.files);
  return ctx.transaction(async (tx) => {
    const { id: visitorId } = await visitorFor(tx, input);
    const present = async (sessionId: string): Promise<Conversation> =>
      presentConversation(presentSession(await getSession(tx, sessionId)));
    const before = await startedBefore(tx, visitorId, clientId);
    if (before) return present(before);
    const { device_id: deviceId, url, language: spoken } = await browserOf(tx, visitorId);
    const language = input.language ?? languageOf({ language: spoken });
    const pageUrl = page_url ?? url;
    if (sender === 'visitor') {
      const visitor = forVisitor(tx, { visitorId, deviceId, verified: true, language });
      const sent = await sendMessage(visitor, { sessionId: null, ...said, pageUrl: pageUrl ?? undefined });
      return present(sent.sessionId);
    }
    const by = sender === 'agent' ? agentActor(await inNameOf(tx, input.agent_id)) : null;
    await refuseOther(tx, visitorId);
    await refuseSpam(tx, by?.agentId ?? null, visitorId);
    const chat = await openByTeam(tx, {
      visitorId,
      deviceId,
      verified: true,
      pageUrl,
      language,
      by: by && { id: by.agentId, name: by.name },
      said,
    });
    return presentConversation(presentSession(chat));
  });
}
