import type { Language, OutputOf, ParsedInputOf, PortalLink } from '@foyer/protocol';
import { HOUR_MS, MINUTE_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import { hashSecret, newSecret } from '../../base/secret-token.ts';
import type { Site, SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { idPage, type Page } from '../../db/keyset.ts';
import { timeZoneOf } from '../../rollups/time-zone.ts';
import { picturePath } from '../../sites/pictures.ts';

/** `last_used_utc` may lag by this much: reading a page repeatedly writes nothing. */
const USED_STEP_MS = MINUTE_MS;

interface LinkRow {
  id: number;
  ticket_id: number;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
}

const present = (row: LinkRow): PortalLink => ({
  id: row.id,
  ticket_id: row.ticket_id,
  created_utc: row.created_at.toISOString(),
  expires_utc: row.expires_at.toISOString(),
  last_used_utc: row.last_used_at?.toISOString() ?? null,
});

/** The URL of a portal page. Built only from FOYER_BASE_URL, because a `Host` header can be forged. */
const portalUrl = (ctx: SiteContext, token: string): string => `${ctx.services.address.url}/portal/${token}`;

async function requireTicket(ctx: SiteContext, id: number): Promise<void> {
  await ctx.db
    .selectFrom('tickets')
    .select('id')
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirstOrThrow(() => notFound('ticket'));
}

/** Stores a link by the hash of its token. An existing one stays as it is. */
async function insertLink(
  tx: SiteContext,
  ticketId: number,
  token: string,
  hours: number,
): Promise<LinkRow | undefined> {
  return tx.db
    .insertInto('portal_links')
    .values({
      site_id: tx.site.id,
      ticket_id: ticketId,
      token_hash: hashSecret(token),
      expires_at: new Date(tx.now().getTime() + hours * HOUR_MS),
      created_at: tx.now(),
    })
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .returning(['id', 'ticket_id', 'created_at', 'expires_at', 'last_used_at'])
    .executeTakeFirst();
}

/**
 * Creates a link to a ticket's page. Its token is returned once; only its hash is stored.
 * @throws AppError 404
 */
export function createPortalLink(
  ctx: SiteContext,
  input: ParsedInputOf<'portal_links.create'>,
): Promise<OutputOf<'portal_links.create'>> {
  const token = newSecret();
  return ctx.transaction(async (tx) => {
    await requireTicket(tx, input.ticket_id);
    const row = await insertLink(tx, input.ticket_id, token, input.expires_in_hours);
    if (!row) throw new Error('two links have one token');
    await tx.emit({ audit: { subject: 'ticket', subjectId: row.ticket_id, action: 'portal_link_created' } });
    return { id: row.id, url: portalUrl(tx, token), token, expires_utc: row.expires_at.toISOString() };
  });
}

/**
 * Stores the link of a mail or follow-up. The caller derives `token`, so that a retried mail contains the same
 * link.
 */
export async function keepPortalLink(
  tx: SiteContext,
  ticketId: number,
  token: string,
  hours: number,
): Promise<string> {
  await insertLink(tx, ticketId, token, hours);
  return portalUrl(tx, token);
}

/** The valid links of a ticket, newest first, without tokens. @throws AppError 404 */
export async function listPortalLinks(
  ctx: SiteContext,
  input: ParsedInputOf<'portal_links.list'>,
): Promise<Page<PortalLink>> {
  await requireTicket(ctx, input.ticket_id);
  const open = ctx.db
    .selectFrom('portal_links')
    .select(['id', 'ticket_id', 'created_at', 'expires_at', 'last_used_at'])
    .where('site_id', '=', ctx.site.id)
    .where('ticket_id', '=', input.ticket_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', ctx.now());
  return idPage(open, input, present);
}

/** Revokes a link immediately. @throws AppError 404, also for an expired one */
export function revokePortalLink(ctx: SiteContext, id: number): Promise<{ id: number; deleted: true }> {
  return ctx.transaction(async (tx) => {
    const row = await tx.db
      .updateTable('portal_links')
      .set({ revoked_at: tx.now() })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', tx.now())
      .returning('ticket_id')
      .executeTakeFirstOrThrow(() => notFound('portal link'));
    await tx.emit({ audit: { subject: 'ticket', subjectId: row.ticket_id, action: 'portal_link_revoked' } });
    return { id, deleted: true };
  });
}

export interface OpenLink {
  site: Site;
  siteName: string;
  siteColor: string;
  /** The logo's path; null without one. */
  siteLogo: string | null;
  language: Language;
  /** The time zone for times, because the reader's own isn't known. */
  timeZone: string;
  linkId: number;
  ticketId: number;
  /** The requester, in whose name an answer through the link is stored. */
  requesterId: number;
  state: 'live' | 'expired' | 'revoked';
}

/** The only look-up of the portal that starts without a site: the token identifies it. */
export async function findPortalLink(db: Db, token: string, now: Date): Promise<OpenLink | undefined> {
  const row = await db
    .selectFrom('portal_links as l')
    .innerJoin('sites as s', 's.id', 'l.site_id')
    .innerJoin('tickets as t', (join) =>
      join.onRef('t.site_id', '=', 'l.site_id').onRef('t.id', '=', 'l.ticket_id'),
    )
    .select([
      's.id as site_id',
      's.plan',
      's.name',
      's.color',
      's.logo',
      's.language',
      's.time_zone',
      's.office_hours',
    ])
    .select(['l.id', 'l.ticket_id', 'l.expires_at', 'l.revoked_at', 'l.last_used_at', 't.requester_id'])
    .where('l.token_hash', '=', hashSecret(token))
    .executeTakeFirst();
  if (!row) return undefined;
  const state = row.revoked_at ? 'revoked' : row.expires_at <= now ? 'expired' : 'live';
  if (state === 'live' && (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > USED_STEP_MS)) {
    await sql`update portal_links set last_used_at = ${now} where site_id = ${row.site_id} and id = ${row.id}`.execute(
      db,
    );
  }
  return {
    site: { id: row.site_id, plan: row.plan },
    siteName: row.name,
    siteColor: row.color,
    siteLogo: picturePath(row.logo),
    language: row.language,
    timeZone: timeZoneOf(row),
    linkId: row.id,
    ticketId: row.ticket_id,
    requesterId: row.requester_id,
    state,
  };
}

/** Revokes the links of an erased visitor. */
export async function revokeLinksOf(db: Db, siteId: number, visitorId: number, now: Date): Promise<void> {
  await sql`
    update portal_links l set revoked_at = ${now} from tickets t
    where t.site_id = ${siteId} and t.requester_id = ${visitorId}
      and l.site_id = t.site_id and l.ticket_id = t.id and l.revoked_at is null`.execute(db);
}
