import { createHash, randomBytes } from 'node:crypto';
import type { Attributes } from '@foyer/protocol';
import type { Services } from '../context.ts';
import type { Db } from '../db/database.ts';
import { identityOf, isOverLimit, mergeAttributes, type ToldIdentity } from './attributes.ts';
import { identitySecrets, isAnonymous, isVerified, type Trust, trustInPage } from './identity-proof.ts';
import { findVisitor, type VisitorRow, type VisitorScope } from './rows.ts';
import { touchVisitor } from './track.ts';
import { bringIn, joinTouched, settled, type Telling, tellVisitor } from './upsert.ts';

/** None of it is believed: it is shown to agents. */
interface Browser {
  userAgent?: string | undefined;
  language?: string | undefined;
  timeZone?: string | undefined;
}

const USER_AGENT_MAX = 500;

export interface Hello {
  /** From an earlier hello of this browser. */
  token?: string | undefined;
  key?: string | undefined;
  userHash?: string | undefined;
  attributes?: Attributes | undefined;
  /** What it says of itself. */
  browser?: Browser;
  now: Date;
  /** Opens the site's identity secret; without it nobody is verified. */
  vault?: Services['vault'];
  /** Reports a visitor who became known. Then `db` is the transaction that it belongs to: `ctx.transaction`'s. */
  emit?: VisitorScope['emit'];
}

export interface OpenedDevice {
  visitorId: number;
  deviceId: number;
  /** To be shown to this browser alone; only its hash is stored. */
  token: string;
  /** The key was proven by the site's HMAC; else the visitor gets only this device's chats (decisions 6). */
  verified: boolean;
  visitor: VisitorRow & { key: string };
}

interface Device {
  id: number;
  visitorId: number;
  key: string | null;
}

const VERIFIED_NOTED_MS = 24 * 3_600_000;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The browser that was given this token; none once its visitor is erased. */
export async function findDevice(db: Db, siteId: number, token: string): Promise<Device | undefined> {
  return db
    .selectFrom('visitor_devices as d')
    .innerJoin('visitors as v', (join) =>
      join.onRef('v.site_id', '=', 'd.site_id').onRef('v.id', '=', 'd.visitor_id'),
    )
    .select(['d.id', 'd.visitor_id as visitorId', 'v.key'])
    .where('d.site_id', '=', siteId)
    .where('d.token_hash', '=', hashOf(token))
    .where('v.erased_at', 'is', null)
    .executeTakeFirst();
}

async function makeDevice(
  { db, siteId, now }: VisitorScope,
  visitorId: number,
): Promise<{ id: number; token: string }> {
  const token = `vis_${randomBytes(32).toString('base64url')}`;
  const { id } = await db
    .insertInto('visitor_devices')
    .values({ site_id: siteId, visitor_id: visitorId, token_hash: hashOf(token), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, token };
}

/** Whether a page says anything of its visitor that is not known yet. */
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

/** The visitor, with what the page says; too much of it is left out, for the chat must open all the same. */
async function greet(scope: VisitorScope, { key, previousKey, told, trust }: Greeting): Promise<VisitorRow> {
  const { attributes, ...own } = told;
  const tellingOf = (known: VisitorRow | undefined): Telling => {
    const fits = !isOverLimit(mergeAttributes(known?.attributes ?? {}, attributes));
    return { key, previousKey, ...own, ...(fits ? { attributes } : {}), trust };
  };
  // A fold locks both visitors in its own order, so nothing is locked before it.
  if (previousKey !== undefined) {
    return tellVisitor(scope, tellingOf(await findVisitor(scope.db, scope.siteId, key)));
  }
  const before = await touchVisitor(scope, key);
  if (!isNews(before.visitor, told)) return settled(scope, before);
  const { visitor, touched } = await bringIn(scope, tellingOf(before.visitor));
  return settled(scope, { visitor, touched: joinTouched(before.touched, touched) });
}

/** When the proof was last given, to the day: a row that is written with every page would be a row too busy. */
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
  { userAgent, language, timeZone }: Browser,
): Promise<void> {
  await db
    .updateTable('visitor_devices')
    .set({
      seen_at: now,
      ...(userAgent ? { user_agent: userAgent.slice(0, USER_AGENT_MAX).toWellFormed() } : {}),
      ...(language ? { language } : {}),
      ...(timeZone ? { time_zone: timeZone } : {}),
    })
    .where('site_id', '=', siteId)
    .where('id', '=', deviceId)
    .execute();
}

async function open(scope: VisitorScope, hello: Hello): Promise<OpenedDevice> {
  const { db, siteId } = scope;
  const device = hello.token === undefined ? undefined : await findDevice(db, siteId, hello.token);
  const key = hello.key ?? device?.key ?? `anon_${randomBytes(16).toString('hex')}`;
  const secrets = hello.vault ? await identitySecrets(db, siteId, hello.vault, hello.now) : [];
  const verified = isVerified(secrets, key, hello.userHash);
  const trust = trustInPage(secrets, key, hello.userHash);
  // The anonymous visitor of this browser has told who it is; any other change of key is another person.
  const folds = device?.key != null && device.key !== key && isAnonymous(device.key) && !isAnonymous(key);
  const previousKey = folds ? (device?.key ?? undefined) : undefined;
  const told = identityOf(hello.attributes ?? {});
  const row = await greet(scope, { key, previousKey, told, trust });
  await noteVerified(scope, row, verified);
  const isSame = device !== undefined && (folds || device.key === key);
  const kept = isSame && hello.token !== undefined ? { id: device.id, token: hello.token } : undefined;
  const { id: deviceId, token } = kept ?? (await makeDevice(scope, row.id));
  await noteBrowser(scope, deviceId, hello.browser ?? {});
  return { visitorId: row.id, deviceId, token, verified, visitor: { ...row, key } };
}

/**
 * Opens the site to a visitor's browser: by its token as the device that it is, else as a new device of the visitor of
 * that key. A device whose anonymous visitor now comes with a key of the site's own has its visitor folded into that one.
 */
export async function openDevice(db: Db, siteId: number, hello: Hello): Promise<OpenedDevice> {
  const inside = (tx: Db): Promise<OpenedDevice> =>
    open({ db: tx, siteId, now: hello.now, emit: hello.emit ?? (async () => undefined) }, hello);
  return db.isTransaction ? inside(db) : db.transaction().execute(inside);
}
