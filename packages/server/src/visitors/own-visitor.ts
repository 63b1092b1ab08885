import type { Actor, SiteContext } from '../context.ts';
import { AppError } from '../errors.ts';
import { speechOf } from '../words/words.ts';
import { currentVisitor, type VisitorRow } from './rows.ts';

type Visitor = Extract<Actor, { kind: 'visitor' }>;

/** The visitor of this socket or device as it is now: since then it may have been folded into a known one, or erased. */
export async function ownVisitor({ db, site }: SiteContext, { visitorId }: Visitor): Promise<VisitorRow> {
  const visitor = await currentVisitor(db, site.id, visitorId);
  if (!visitor) throw new AppError('unauthorized', 'This visitor was erased. Connect again.');
  return visitor;
}

/** As `ownVisitor`, of one who has something to say. @throws AppError 403, in the visitor's language, when blocked. */
export async function speakingVisitor(ctx: SiteContext, actor: Visitor): Promise<VisitorRow> {
  const visitor = await ownVisitor(ctx, actor);
  if (!visitor.blocked_at) return visitor;
  const { say } = speechOf(actor.language ?? 'en');
  throw new AppError('insufficient_scope', say('chat_blocked'));
}
