import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { AppError, notFound } from '../../base/errors.ts';
import type { Services, SiteContext } from '../../core/context.ts';
import { filesAddress } from '../../core/public-address.ts';
import { isAmong } from '../../core/vault.ts';
import type { Db } from '../../db/database.ts';
import { loggedRows } from './received-rows.ts';

const LINK_LIFE_MS = 5 * 60_000;

interface Signed {
  siteId: number;
  id: number;
  expires: number;
}

const purposeOf = ({ siteId, id, expires }: Signed): string => `mail source ${siteId}-${id} ${expires}`;

/** A link to a mail as it was received, for five minutes. @throws AppError 404, 409 if it has been deleted */
export async function linkSource(
  ctx: SiteContext,
  { id }: ParsedInputOf<'received_mails.source'>,
): Promise<OutputOf<'received_mails.source'>> {
  const [row] = await loggedRows(ctx, [id]);
  if (!row) throw notFound('email');
  if (!row.has_source) throw sourceDeleted();
  const expires = Math.ceil((ctx.now().getTime() + LINK_LIFE_MS) / 1000);
  const signature = ctx.services.derivedToken(purposeOf({ siteId: ctx.site.id, id, expires }));
  return {
    url: `${filesAddress(ctx.services.address)}/received-mails/${ctx.site.id}-${id}?expires=${expires}&signature=${signature}`,
    expires_utc: new Date(expires * 1000).toISOString(),
  };
}

/** The 409 for a mail whose raw message is not stored. */
export const sourceDeleted = (): AppError =>
  new AppError('conflict', 'The raw message is no longer stored.', { reason: 'mail_source_deleted' });

/** The raw message behind a valid link. */
export async function findSourceOfLink(
  db: Db,
  services: Pick<Services, 'derivedToken'>,
  { signature, ...link }: Signed & { signature: string },
  now: Date,
): Promise<Buffer | undefined> {
  if (!isAmong(signature, services.derivedToken.all(purposeOf(link)))) return undefined;
  if (link.expires * 1000 <= now.getTime()) return undefined;
  const row = await db
    .selectFrom('received_mails')
    .select('raw')
    .where('site_id', '=', link.siteId)
    .where('id', '=', link.id)
    .executeTakeFirst();
  return row?.raw ?? undefined;
}
