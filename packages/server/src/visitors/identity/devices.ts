import { createHash, randomBytes } from 'node:crypto';
import type { Attributes } from '@foyer/protocol';
import { sql } from 'kysely';
import type { Guest } from '../../core/actor.ts';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import { identityOf, isOverLimit, mergeAttributes, type ToldIdentity } from '../attributes.ts';
import { touchVisitor } from '../events/track.ts';
import { findVisitor, type VisitorRow, type VisitorScope } from '../rows.ts';
import { isAnonymous, isVerified, type Trust, trustInPage } from './identity-proof.ts';
import { bringIn, joinTouched, settled, type Telling, tellVisitor } from './upsert.ts';

const USER_AGENT_MAX = 500;

export interface Hello {
  /** The token from an earlier hello of this browser. */
  token?: string | undefined;
  /** The token's device, if the caller has just read it. */
  device?: Device | undefined;
  /** The hash of a token that the new device already has. Unset: a token is created. */
  newTokenHash?: Buffer | undefined;
  key?: string | undefined;
  userHash?: string | undefined;
  attributes?: Attributes | undefined;
  /** What the browser reports about itself. */
  browser?: Guest['browser'];
  now: Date;
  /** The site's identity secrets; without them nobody is verified. */
  secrets?: readonly string[];
  /** Emits that a visitor became known. Then `db` must be the transaction of `ctx.transaction`. */
  emit?: VisitorScope['emit'];
}

export interface OpenedDevice {
  visitorId: number;
  deviceId: number;
  /** To be sent to this browser only, because only its hash is stored; empty if the browser had it before. */
  token: string;
  /** The key was verified with the site's identity secret. Otherwise the visitor gets only this device's chats. */
  verified: boolean;
  visitor: VisitorRow & { key: string };
  /** What this browser has reported about its visitor, now or earlier. */
  reportedAttributes: Attributes;
  preChatCompletedAt: Date | null;
  /** It has answered the questions about its next chat. */
  hasChatAnswers: boolean;
}

export interface Device {
  id: number;
  visitorId: number;
  key: string | null;
  reportedAttributes: Attributes;
  preChatCompletedAt: Date | null;
  hasChatAnswers: boolean;
}

const VERIFIED_NOTED_MS = 24 * 3_600_000;

/** What is stored instead of a device's token. No salt is needed: tokens are random. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The device of this token; undefined once its visitor is erased. */
export async function findDevice(db: Db, siteId: number, hash: Buffer): Promise<Device | undefined> {
  return db
    .selectFrom('visitor_devices as d')
    .innerJoin('visitors as v', (join) =>
      join.onRef('v.site_id', '=', 'd.site_id').onRef('v.id', '=', 'd.visitor_id'),
    )
    .modifyFront(prepared)
    .select([
      'd.id',
      'd.visitor_id as visitorId',
      'v.key',
      'd.reported_attributes as reportedAttributes',
      'd.pre_chat_completed_at as preChatCompletedAt',
      sql<boolean>`d.pre_chat_fields is not null`.as('hasChatAnswers'),
    ])
    .where('d.site_id', '=', siteId)
    .where('d.token_hash', '=', hash)
    .where('v.erased_at', 'is', null)
    .executeTakeFirst();
}

async function makeDevice(
  { db, siteId, now }: VisitorScope,
  visitorId: number,
  given: Buffer | undefined,
): Promise<{ id: number; token: string }> {
  const token = given ? '' : `vis_${randomBytes(32).toString('base64url')}`;
  const hash = given ?? tokenHash(token);
  const { id } = await db
    .insertInto('visitor_devices')
    .values({ site_id: siteId, visitor_id: visitorId, token_hash: hash, created_at: now })
    // Two tabs of one browser may store its token at once; the lock on the visitor's row serialises them.
    .onConflict((conflict) => conflict.columns(['site_id', 'token_hash']).doUpdateSet({ token_hash: hash }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

/** Earlier reports merged with the new one. If that exceeds the limit, only the new one counts. */
function reportedAfter(before: Attributes, now: Attributes): Attributes {
  const all = mergeAttributes(before, now);
  return isOverLimit(all) ? mergeAttributes({}, now) : all;
}

/**
 * Stores what a browser reports about its visitor. The browser may get it back, even if the visitor turns out to be
 * another.
 */
export async function storeReported(
  { db, siteId }: Pick<VisitorScope, 'db' | 'siteId'>,
  device: Pick<Device, 'id' | 'reportedAttributes'>,
  says: Attributes,
): Promise<Attributes> {
  const reported = reportedAfter(device.reportedAttributes, says);
  if (JSON.stringify(reported) === JSON.stringify(device.reportedAttributes)) return reported;
  await db
    .updateTable('visitor_devices')
    .set({ reported_attributes: JSON.stringify(reported) })
    .where('site_id', '=', siteId)
    .where('id', '=', device.id)
    .execute();
  return reported;
}

/** Whether a page reports anything about its visitor that is new. */
function isNews(visitor: VisitorRow, { email, name, attributes }: ToldIdentity): boolean {
  const known = visitor.attributes;
  const differs = ([attribute, value]: [string, unknown]): boolean =>
    JSON.stringify(known[attribute] ?? null) !== JSON.stringify(value);
  return (
    Object.entries(attributes).some(differs) ||
    (email !== undefined && email !== visitor.email) ||
    (name !== undefined && name !== visitor.name)
  );
}

interface Greeting {
  key: string;
  previousKey: string | undefined;
  told: ToldIdentity;
  trust: Trust;
}

/**
 * The key that a browser continues with. A page that lost its storage creates a new anonymous key, while the
 * browser's token still identifies the visitor: then the new key counts only if something was tracked under it.
 */
async function keyOf({ db, siteId }: VisitorScope, device: Device | undefined, key: string | undefined) {
  const known = device?.key ?? undefined;
  if (key === undefined) return known ?? `anon_${randomBytes(16).toString('hex')}`;
  const isMadeUp = known !== undefined && isAnonymous(known) && isAnonymous(key);
  return isMadeUp && !(await findVisitor(db, siteId, key)) ? known : key;
}

/**
 * The visitor, updated with what the page reports. What exceeds the limit is ignored, because the chat must open
 * anyway.
 */
async function greet(scope: VisitorScope, { key, previousKey, told, trust }: Greeting): Promise<VisitorRow> {
  const { attributes, ...own } = told;
  const tellingOf = (known: VisitorRow | undefined): Telling => {
    const fits = !isOverLimit(mergeAttributes(known?.attributes ?? {}, attributes));
    return { key, previousKey, ...own, ...(fits ? { attributes } : {}), trust };
  };
  // A merge locks both visitors in a fixed order, so nothing may be locked before it.
  if (previousKey !== undefined) {
    return tellVisitor(scope, tellingOf(await findVisitor(scope.db, scope.siteId, key)));
  }
  const before = await touchVisitor(scope, key);
  if (!isNews(before.visitor, told)) return settled(scope, before);
  const { visitor, touched } = await bringIn(scope, tellingOf(before.visitor));
  return settled(scope, { visitor, touched: joinTouched(before.touched, touched) });
}

/** When the proof was last given, to the day: otherwise every page would write the row. */
async function noteVerified(
  { db, siteId, now }: VisitorScope,
  { id, verified_at: known }: VisitorRow,
  verified: boolean,
): Promise<void> {
  if (!verified || (known && now.getTime() - known.getTime() < VERIFIED_NOTED_MS)) return;
  await db
    .updateTable('visitors')
    .set({ verified_at: now })
    .where('site_id', '=', siteId)
    .where('id', '=', id)
    .execute();
}

async function noteBrowser(
  { db, siteId, now }: VisitorScope,
  deviceId: number,
  { userAgent, language, timeZone }: Guest['browser'],
): Promise<void> {
  await db
    .updateTable('visitor_devices')
    .set({
      seen_at: now,
      user_agent: sql`coalesce(${userAgent?.slice(0, USER_AGENT_MAX).toWellFormed() || null}, user_agent)`,
      language: sql`coalesce(${language || null}, language)`,
      time_zone: sql`coalesce(${timeZone || null}, time_zone)`,
    })
    .where('site_id', '=', siteId)
    .where('id', '=', deviceId)
    .modifyEnd(prepared)
    .execute();
}

async function open(scope: VisitorScope, hello: Hello): Promise<OpenedDevice> {
  const { db, siteId } = scope;
  const { token: known, secrets = [] } = hello;
  const device =
    hello.device ?? (known === undefined ? undefined : await findDevice(db, siteId, tokenHash(known)));
  const key = await keyOf(scope, device, hello.key);
  const verified = isVerified(secrets, key, hello.userHash);
  const trust = trustInPage(secrets, key, hello.userHash);
  const merges = device !== undefined && becomesKnown(device.key, key, trust);
  const previousKey = merges ? (device?.key ?? undefined) : undefined;
  const told = identityOf(hello.attributes ?? {});
  const row = await greet(scope, { key, previousKey, told, trust });
  await noteVerified(scope, row, verified);
  const isSame = device !== undefined && (merges || device.key === key);
  const kept = isSame && hello.token !== undefined ? { id: device.id, token: hello.token } : undefined;
  const { id: deviceId, token } = kept ?? (await makeDevice(scope, row.id, hello.newTokenHash));
  await noteBrowser(scope, deviceId, hello.browser ?? {});
  const before = { id: deviceId, reportedAttributes: kept && device ? device.reportedAttributes : {} };
  return {
    visitorId: row.id,
    deviceId,
    token,
    verified,
    visitor: { ...row, key },
    reportedAttributes: await storeReported(scope, before, hello.attributes ?? {}),
    preChatCompletedAt: kept && device ? device.preChatCompletedAt : null,
    hasChatAnswers: kept && device ? device.hasChatAnswers : false,
  };
}

/**
 * Whether a browser's anonymous visitor is merged into the visitor of its new key: the page has identified them, or
 * tracked something under another anonymous key. Any other change of key is another person. A claim without the proof
 * that the site requires merges nothing.
 */
export const becomesKnown = (before: string | null, key: string, trust: Trust): boolean =>
  before !== null && before !== key && isAnonymous(before) && (isAnonymous(key) || trust !== 'unproven');

/**
 * Finds or creates the device of a visitor's browser: by its token, else as a new device of the key's visitor. If a
 * device's anonymous visitor now has a key of the site's own, that visitor is merged into the key's.
 */
export async function openDevice(db: Db, siteId: number, hello: Hello): Promise<OpenedDevice> {
  const inside = (tx: Db): Promise<OpenedDevice> =>
    open({ db: tx, siteId, now: hello.now, emit: hello.emit ?? (async () => undefined) }, hello);
  return db.isTransaction ? inside(db) : db.transaction().execute(inside);
}
