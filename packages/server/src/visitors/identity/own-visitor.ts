import type { Attributes } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../base/errors.ts';
import type { Actor, Guest } from '../../core/actor.ts';
import type { SiteContext } from '../../core/context.ts';
import { speechOf } from '../../i18n/phrases.ts';
import { adoptPages } from '../pages/pages.ts';
import { currentVisitor, type VisitorRow } from '../rows.ts';
import { findDevice, openDevice, storeReported } from './devices.ts';
import { identitySecrets, type Trust, trustInPage } from './identity-proof.ts';

type Visitor = Extract<Actor, { kind: 'visitor' }>;

/** The visitor's browser as an SQL value; null for a guest without a record. */
export const deviceOf = (siteId: number, { deviceId, guest }: Visitor): RawBuilder<number | null> =>
  guest
    ? sql`(select id from visitor_devices where site_id = ${siteId} and token_hash = ${guest.tokenHash})`
    : sql`${deviceId}::bigint`;

/**
 * Creates the record of a guest in the current transaction, unless another tab has done so. All connections of this
 * browser get the record.
 * @returns the visitor's id
 */
export async function recordGuest(tx: SiteContext, guest: Guest): Promise<number> {
  const { db, site, services } = tx;
  const { tokenHash, key, userHash, browser } = guest;
  let device = await findDevice(db, site.id, tokenHash);
  if (!device) {
    if (tx.actor.kind === 'visitor') await services.admit(tx, 'visitor');
    await openDevice(db, site.id, {
      newTokenHash: tokenHash,
      key,
      userHash,
      browser,
      secrets: await identitySecrets(db, site.id, services.vault, tx.now()),
      now: tx.now(),
      emit: (event) => tx.emit(event),
    });
    device = await findDevice(db, site.id, tokenHash);
  }
  if (!device) throw new Error('a browser has no record right after it was made');
  await adoptPages(tx, tokenHash, device);
  const { id: deviceId, visitorId } = device;
  const token = tokenHash.toString('base64url');
  await tx.emit({ notices: [{ kind: 'device', token, visitorId, deviceId }] });
  return visitorId;
}

/**
 * The current visitor of this socket or device: it may have been merged or erased since. Creates the record of a
 * guest.
 */
export async function ownVisitor(ctx: SiteContext, { visitorId, guest }: Visitor): Promise<VisitorRow> {
  const id = guest ? await ctx.transaction((tx) => recordGuest(tx, guest)) : visitorId;
  const visitor = id === null ? undefined : await currentVisitor(ctx.db, ctx.site.id, id);
  if (!visitor) throw new AppError('unauthorized', 'This visitor was erased. Reconnect.');
  return visitor;
}

/**
 * Like `ownVisitor`, for a visitor who is sending something.
 * @throws AppError 403, in the visitor's language, if blocked
 */
export async function speakingVisitor(ctx: SiteContext, actor: Visitor): Promise<VisitorRow> {
  const visitor = await ownVisitor(ctx, actor);
  if (!visitor.blocked_at) return visitor;
  const { say } = speechOf(actor.language ?? 'en');
  throw new AppError('insufficient_scope', say('chat_blocked'));
}

interface OwnDevice {
  id: number;
  reportedAttributes: Attributes;
  preChatCompletedAt: Date | null;
  hasChatAnswers: boolean;
}

/** The record of a visitor's browser; undefined for a guest, and if it was erased. */
export async function ownDevice(ctx: SiteContext, actor: Visitor): Promise<OwnDevice | undefined> {
  const { rows } = await sql<OwnDevice>`
    select id, reported_attributes as "reportedAttributes", pre_chat_completed_at as "preChatCompletedAt",
      pre_chat_fields is not null as "hasChatAnswers"
    from visitor_devices where site_id = ${ctx.site.id} and id = ${deviceOf(ctx.site.id, actor)}`.execute(
    ctx.db,
  );
  return rows[0];
}

/** What a visitor's browser reports, which proves nothing. */
export interface BrowserFacts {
  timeZone: string | null;
  /** The address that somebody left there. */
  email: string | null;
}

/** What the browser of a visitor reports; nulls if its record was erased. */
export async function browserFacts(ctx: SiteContext, actor: Visitor): Promise<BrowserFacts> {
  const { rows } = await sql<BrowserFacts>`
    select time_zone as "timeZone", reported_attributes ->> 'email' as email
    from visitor_devices where site_id = ${ctx.site.id} and id = ${deviceOf(ctx.site.id, actor)}`.execute(
    ctx.db,
  );
  return rows[0] ?? { timeZone: null, email: null };
}

/** Stores what a visitor reports about themselves with their browser, which may read it back. */
export async function noteOwnWords(ctx: SiteContext, actor: Visitor, says: Attributes): Promise<void> {
  const device = await ownDevice(ctx, actor);
  if (device) await storeReported({ db: ctx.db, siteId: ctx.site.id }, device, says);
}

/** How far this visitor is trusted to speak for the person with `key`. */
export async function trustInVisitor(ctx: SiteContext, { verified }: Visitor, key: string): Promise<Trust> {
  // Even a verified visitor's own words count no more than those of a page without an identity secret.
  if (verified) return 'told';
  return trustInPage(
    await identitySecrets(ctx.db, ctx.site.id, ctx.services.vault, ctx.now()),
    key,
    undefined,
  );
}
