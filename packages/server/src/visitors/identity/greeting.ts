import type { Attributes } from '@foyer/protocol';
import type { Actor, Guest } from '../../core/actor.ts';
import type { Services, SiteContext } from '../../core/context.ts';
import type { Db } from '../../db/database.ts';
import { identityOf } from '../attributes.ts';
import { findVisitor } from '../rows.ts';
import { becomesKnown, findDevice, type Hello, type OpenedDevice, openDevice, tokenHash } from './devices.ts';
import { issueGuestToken, readGuestToken } from './guest-token.ts';
import { identitySecrets, isVerified, trustInPage } from './identity-proof.ts';

/** What a visitor may see about themselves. */
export interface KnownToVisitor {
  name: string | null;
  email: string | null;
  attributes: Attributes;
  pre_chat_completed_at: Date | null;
}

interface Greeted {
  actor: Extract<Actor, { kind: 'visitor' }>;
  token: string;
  key: string;
  known: KnownToVisitor;
  /** They have answered the questions about their next chat. */
  hasChatAnswers: boolean;
}

/** A browser may see what it has reported itself, whichever visitor it claims to be. */
export function knownFrom(reported: Attributes, preChatCompletedAt: Date | null): KnownToVisitor {
  const { name = null, email = null, attributes } = identityOf(reported);
  return { name, email, attributes, pre_chat_completed_at: preChatCompletedAt };
}

function opened({
  visitorId,
  deviceId,
  verified,
  token,
  visitor,
  reportedAttributes,
  preChatCompletedAt,
  hasChatAnswers,
}: OpenedDevice): Greeted {
  return {
    actor: { kind: 'visitor', visitorId, deviceId, verified },
    token,
    key: visitor.key,
    known: verified ? visitor : knownFrom(reportedAttributes, preChatCompletedAt),
    hasChatAnswers,
  };
}

type Greeting = Pick<Hello, 'token' | 'key' | 'userHash' | 'attributes'> & { browser: Guest['browser'] };

/**
 * Identifies a browser when it connects. Only a browser with a token from something it sent, or a page with the
 * site's proof, gets its visitor's record. Any other is a guest: nothing is looked up or stored, so known and
 * unknown keys get the same answer.
 * @throws AppError 429 for too many new browsers from one address
 */
export async function greetBrowser(ctx: SiteContext, hello: Greeting): Promise<Greeted> {
  const { db, site, services } = ctx;
  const { derivedToken, vault } = services;
  const device =
    hello.token === undefined ? undefined : await findDevice(db, site.id, tokenHash(hello.token));
  if (!device) await services.admit(ctx, 'greeting');
  const issued =
    device || hello.token === undefined ? undefined : readGuestToken(derivedToken, site.id, hello.token);
  const key = hello.key ?? device?.key ?? issued?.key;
  const secrets = await identitySecrets(db, site.id, vault, ctx.now());
  const verified = key !== undefined && isVerified(secrets, key, hello.userHash);
  const trust = key === undefined ? 'told' : trustInPage(secrets, key, hello.userHash);
  const openIn = (parts: Partial<Hello>): Promise<OpenedDevice> =>
    ctx.transaction((tx) =>
      openDevice(tx.db, site.id, {
        ...hello,
        ...parts,
        secrets,
        now: tx.now(),
        emit: (event) => tx.emit(event),
      }),
    );
  if (device && key !== undefined && (device.key === key || becomesKnown(device.key, key, trust)))
    return opened(await openIn({ device }));
  const guest = issued?.key === key && issued ? issued : issueGuestToken(derivedToken, site.id, key);
  const hash = tokenHash(guest.token);
  const says = Object.keys(hello.attributes ?? {}).length > 0;
  const isKnown = verified && (await findVisitor(db, site.id, guest.key)) !== undefined;
  if (says || isKnown) {
    await services.admit(ctx, 'visitor');
    const made = await openIn({ token: undefined, key: guest.key, newTokenHash: hash });
    return { ...opened(made), token: guest.token };
  }
  const { userHash, browser } = hello;
  return {
    actor: {
      kind: 'visitor',
      visitorId: null,
      deviceId: null,
      guest: { key: guest.key, tokenHash: hash, userHash, browser },
      verified,
    },
    ...guest,
    known: knownFrom({}, null),
    hasChatAnswers: false,
  };
}

/**
 * The visitor with this token, for an entry point that knows nothing else about them; undefined for another site's
 * token.
 */
export async function visitorOfToken(
  db: Db,
  derive: Services['derivedToken'],
  siteId: number,
  token: string,
  browser: Guest['browser'],
): Promise<Greeted['actor'] | undefined> {
  const hash = tokenHash(token);
  const device = await findDevice(db, siteId, hash);
  if (device) return { kind: 'visitor', visitorId: device.visitorId, deviceId: device.id, verified: false };
  const issued = readGuestToken(derive, siteId, token);
  if (!issued) return undefined;
  const guest = { key: issued.key, tokenHash: hash, browser };
  return { kind: 'visitor', visitorId: null, deviceId: null, guest, verified: false };
}
