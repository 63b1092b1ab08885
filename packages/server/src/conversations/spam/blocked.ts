import type { Actor } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { findBlock, reasonOf } from '../../sites/blocks/find-block.ts';
import type { Hit, Suspect } from '../../sites/blocks/rules.ts';
import { type BrowserFacts, browserFacts } from '../../visitors/identity/own-visitor.ts';
import { countryOfTimeZone } from '../../visitors/live/country.ts';
import { lockSession } from '../sessions.ts';
import type { Mark } from './mark.ts';
import { setChatSpam } from './mark-chat.ts';

type Visitor = Extract<Actor, { kind: 'visitor' }>;

/** The mark of what a block makes spam from its beginning. */
export const newMark = (ctx: SiteContext, block: Hit): Mark => ({
  spam_at: ctx.now(),
  spam_by: null,
  spam_reason: reasonOf(block),
});

/** The block that a visitor's new chat meets: by their address, email address, country or words. */
export async function blockOfNewChat(
  ctx: SiteContext,
  actor: Visitor,
  { email, text }: { email: string | null; text?: string | undefined },
): Promise<Hit | undefined> {
  const { concernPeople } = await ctx.services.blocksOf(ctx.site.id);
  const browser: BrowserFacts = concernPeople
    ? await browserFacts(ctx, actor)
    : { timeZone: null, email: null };
  return findBlock(ctx, {
    text,
    emails: [email, browser.email],
    country: countryOfTimeZone(browser.timeZone),
  });
}

/**
 * Marks a chat as spam if its visitor or what they write now is blocked. A phrase counts only until an agent has the
 * chat: then somebody decides. A closed chat stays as it is.
 * @throws AppError 404
 */
export async function markIfBlocked(
  ctx: SiteContext,
  sessionId: string,
  suspect: Omit<Suspect, 'caller'>,
): Promise<void> {
  const block = await findBlock(ctx, suspect);
  if (!block) return;
  await ctx.transaction(async (tx) => {
    const chat = await lockSession(tx, sessionId);
    if (chat.status === 'closed' || (block.kind === 'phrase' && chat.status === 'active')) return;
    await setChatSpam(tx, chat, reasonOf(block));
  });
}
