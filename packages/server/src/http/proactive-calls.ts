import { type BubbleAnswer, proactiveCall } from '@foyer/protocol';
import type { FastifyRequest } from 'fastify';
import { invalidInput, issuesOf } from '../base/errors.ts';
import type { SiteContext } from '../core/context.ts';
import { openProactive, showProactive } from '../proactive/show.ts';
import { isCallerBlocked } from '../sites/blocks/find-block.ts';
import type { KnownSite } from '../sites/directory.ts';
import { bubbleWords, wantedLanguages } from './launcher-words.ts';

/** Answers a page that asks for a proactive message, or reports that it was opened. @throws AppError 400 */
export async function answerProactiveCall(
  ctx: SiteContext,
  site: KnownSite,
  { body, headers }: Pick<FastifyRequest, 'body' | 'headers'>,
): Promise<BubbleAnswer> {
  const parsed = proactiveCall.safeParse(body);
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  if (await isCallerBlocked(ctx)) return { bubble: null };
  const { do: what, id, key, user_hash: userHash, locale = '' } = parsed.data;
  const asking = { id, key, userHash, wanted: wantedLanguages(locale, headers['accept-language'] ?? '') };
  if (what === 'open') {
    await openProactive(ctx, asking);
    return { bubble: null };
  }
  const bubble = await showProactive(ctx, site, asking);
  const words = bubble && (await bubbleWords(bubble.language));
  return { bubble: bubble && { ...bubble, ...(words && { words }) } };
}
