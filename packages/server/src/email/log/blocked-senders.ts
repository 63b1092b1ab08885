import type { BlockedSender, OutputOf, ParsedInputOf } from '@foyer/protocol';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { idPage } from '../../db/keyset.ts';
import { isInForce, putBlock } from '../../sites/blocks/blocks.ts';

interface Row {
  id: number;
  sender: string;
  agent_id: number | null;
  agent_name: string | null;
  created_at: Date;
}

const present = ({ id, sender, agent_id, agent_name, created_at }: Row): BlockedSender => ({
  id,
  sender,
  agent: agent_id === null ? null : { id: agent_id, name: agent_name ?? '' },
  created_utc: created_at.toISOString(),
});

/** The blocks of email addresses and domains: see `sites/blocks`. */
const blockedOf = (ctx: SiteContext) =>
  ctx.db
    .selectFrom('blocked_senders as b')
    .leftJoin('agents as a', (join) =>
      join.onRef('a.site_id', '=', 'b.site_id').onRef('a.id', '=', 'b.agent_id'),
    )
    .where('b.site_id', '=', ctx.site.id)
    .where('b.kind', '=', 'email')
    .where(isInForce(ctx.now()))
    .select(['b.id', 'b.sender', 'b.agent_id', 'a.name as agent_name', 'b.created_at']);

/** Senders whose mail is rejected. */
export const listBlockedSenders = (
  ctx: SiteContext,
  input: ParsedInputOf<'blocked_senders.list'>,
): Promise<OutputOf<'blocked_senders.list'>> => idPage(blockedOf(ctx), input, present, 'b.id');

/** Blocks an address or a domain, in lower case. @returns false if it is blocked already, which doesn't change */
export async function blockSender(tx: SiteContext, sender: string): Promise<boolean> {
  const { id, isNew } = await putBlock(tx, { kind: 'email', value: sender });
  if (isNew) await report(tx, id, sender, 'blocked_senders.create');
  return isNew;
}

const report = (tx: SiteContext, id: number, sender: string, action: string): Promise<void> =>
  tx.emit({
    audit: { subject: 'blocked_sender', subjectId: id, label: sender, action },
    notices: [{ kind: 'site' }],
  });

/** Blocks a sender: their mail is rejected from now on. */
export function createBlockedSender(
  ctx: SiteContext,
  { sender }: ParsedInputOf<'blocked_senders.create'>,
): Promise<OutputOf<'blocked_senders.create'>> {
  return ctx.transaction(async (tx) => {
    await blockSender(tx, sender);
    const row = await blockedOf(tx).where('b.sender', '=', sender).executeTakeFirstOrThrow();
    return present(row);
  });
}

/** Mails that were rejected meanwhile stay rejected. @throws AppError 404 */
export function deleteBlockedSender(
  ctx: SiteContext,
  { id }: ParsedInputOf<'blocked_senders.delete'>,
): Promise<OutputOf<'blocked_senders.delete'>> {
  return ctx.transaction(async (tx) => {
    const row = await tx.db
      .deleteFrom('blocked_senders')
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .where('kind', '=', 'email')
      .returning('sender')
      .executeTakeFirst();
    if (!row) throw notFound('blocked sender');
    await report(tx, id, row.sender, 'blocked_senders.delete');
    return { id, deleted: true as const };
  });
}

/** Unblocks those of these addresses and domains that are blocked. */
export async function unblockSenders(tx: SiteContext, senders: readonly string[]): Promise<void> {
  if (senders.length === 0) return;
  const rows = await tx.db
    .deleteFrom('blocked_senders')
    .where('site_id', '=', tx.site.id)
    .where('sender', 'in', [...senders])
    .returning(['id', 'sender'])
    .execute();
  for (const { id, sender } of rows) await report(tx, id, sender, 'blocked_senders.delete');
}
