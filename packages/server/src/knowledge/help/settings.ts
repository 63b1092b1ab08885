import type { HelpSettings, ParsedInputOf } from '@foyer/protocol';
import { AppError, isUniqueViolation } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import { getSite, type SiteRow } from '../../sites/sites.ts';

/** The part of the address that identifies the site: its slug, or the public key. */
const addressOf = ({ help_slug, public_key }: SiteRow): string => help_slug ?? public_key;

/** The help centre's path, without a slash at its end. */
export async function helpPath({ db, site }: SiteContext): Promise<string> {
  return `/help/${addressOf(await getSite(db, site.id))}`;
}

/** The help centre's URL. */
export const helpUrl = async (ctx: SiteContext): Promise<string> =>
  `${ctx.services.address.url}${await helpPath(ctx)}`;

const present = (row: SiteRow, baseUrl: string): HelpSettings => ({
  url: `${baseUrl}/help/${addressOf(row)}`,
  slug: row.help_slug,
  title: row.help_title,
  intro: row.help_intro,
  enabled: row.help_enabled,
  indexed: row.help_indexed,
});

/** Includes the help centre's full address, built from FOYER_BASE_URL. */
export async function getHelpSettings({ db, site, services }: SiteContext): Promise<HelpSettings> {
  return present(await getSite(db, site.id), services.address.url);
}

/** Reserves an address. One that another site no longer uses is free; the site's own earlier ones redirect. */
async function takeAddress(tx: SiteContext, before: string | null, slug: string | null): Promise<void> {
  if (slug !== null) await tx.db.deleteFrom('help_slug_redirects').where('slug', '=', slug).execute();
  if (before === null || before === slug) return;
  await tx.db
    .insertInto('help_slug_redirects')
    .values({ slug: before, site_id: tx.site.id })
    .onConflict((conflict) => conflict.column('slug').doUpdateSet({ site_id: tx.site.id }))
    .execute();
}

/** @throws AppError 409 when the address is another site's. */
export async function updateHelpSettings(
  ctx: SiteContext,
  { slug, title, intro, enabled, indexed }: ParsedInputOf<'help_centre.update'>,
): Promise<HelpSettings> {
  return ctx.transaction(async (tx) => {
    const { db, site, services } = tx;
    const before = await getSite(db, site.id);
    const values = {
      id: site.id,
      help_slug: slug,
      help_title: title,
      help_intro: intro,
      help_enabled: enabled,
      help_indexed: indexed,
    };
    try {
      await db.updateTable('sites').set(values).where('id', '=', site.id).execute();
    } catch (error) {
      if (!isUniqueViolation(error, 'sites_help_slug_key')) throw error;
      throw new AppError('conflict', `The address ${JSON.stringify(slug)} is taken.`, {
        reason: 'address_taken',
        values: { name: slug ?? '' },
        issues: [{ path: 'slug', message: 'is already taken by another site', reason: 'taken' }],
      });
    }
    if (slug !== undefined) await takeAddress(tx, before.help_slug, slug);
    await tx.emit({ notices: [{ kind: 'site' }] });
    return present(await getSite(db, site.id), services.address.url);
  });
}
