import { type OutputOf, type ParsedInputOf, PUBLIC_URL_MAX } from '@foyer/protocol';
import { z } from 'zod';
import { withoutEndSlashes } from '../../base/end-slashes.ts';
import { AppError } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { storePublicAddress } from '../../core/public-address.ts';
import type { Db } from '../../db/database.ts';
import { checkedInput } from './checked-input.ts';

function isPlainAddress(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '' &&
    withoutEndSlashes(url.href) === withoutEndSlashes(value)
  );
}

/** An http or https address without a query, with or without slashes at its end. */
export const publicUrl = z
  .string()
  .trim()
  .max(PUBLIC_URL_MAX)
  .refine((value) => isPlainAddress(value), 'must be an address such as https://chat.example.com')
  .transform(withoutEndSlashes);

const given = z.strictObject({ url: publicUrl });

/** Whether the installation has other sites, whose links begin with the same address. */
async function isShared(db: Db): Promise<boolean> {
  const sites = await db.selectFrom('sites').select('id').limit(2).execute();
  return sites.length > 1;
}

/** The installation's address, and what determines it. */
export async function readPublicAddress({
  db,
  services: { address },
}: SiteContext): Promise<OutputOf<'public_address.get'>> {
  const set_by = address.isFixed ? 'variable' : (await isShared(db)) ? 'operator' : 'admin';
  return { url: address.url, set_by };
}

/**
 * Changes the address that links and the snippet begin with, for all processes.
 * @throws AppError 400 for an invalid address; 409 if FOYER_BASE_URL is set, or the installation has another site
 */
export async function changePublicAddress(
  ctx: SiteContext,
  input: ParsedInputOf<'public_address.set'>,
): Promise<OutputOf<'public_address.get'>> {
  const { url } = checkedInput(given, input);
  const { address } = ctx.services;
  if (address.isFixed) throw new AppError('conflict', 'FOYER_BASE_URL sets the public address.');
  await ctx.transaction(async (tx) => {
    if (await isShared(tx.db))
      throw new AppError('conflict', 'Other sites use this address too. Set FOYER_BASE_URL to change it.');
    await storePublicAddress(tx.db, url);
    await tx.emit({
      notices: [{ kind: 'site' }],
      audit: {
        subject: 'site',
        subjectId: tx.site.id,
        action: 'public_address.set',
        changes: { public_address: [address.url, url] },
      },
    });
  });
  // The other processes do so when they receive the notice.
  await address.refresh();
  return readPublicAddress(ctx);
}
