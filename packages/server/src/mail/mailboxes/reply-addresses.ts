import type { Services } from '../../core/context.ts';
import { isAmong } from '../../core/vault.ts';

type Deriver = Pick<Services, 'derivedToken'>;

/** The target of answers to a reply address: `t` a ticket, `c` a chat. */
const KINDS = { ticket: 't', chat: 'c' } as const;
export type ReplyTarget = keyof typeof KINDS;

const MAC_CHARS = 16;
const TAG = /\+([tc])(\d{1,15})\.([0-9a-f]{16})$/;

/** In hexadecimal, because mail servers may change the case of an address. */
const macOf = (token: string): string => Buffer.from(token, 'base64url').toString('hex').slice(0, MAC_CHARS);

const purposeOf = (target: ReplyTarget, siteId: number, id: number): string =>
  `reply address of ${target} ${siteId}-${id}`;

/** `help+t42.3f…@shop.example`: mail to it belongs to the ticket, whatever its headers say. */
export function replyAddressOf(
  services: Deriver,
  address: string,
  target: ReplyTarget,
  siteId: number,
  id: number,
): string {
  const at = address.lastIndexOf('@');
  const mac = macOf(services.derivedToken(purposeOf(target, siteId, id)));
  return `${address.slice(0, at)}+${KINDS[target]}${id}.${mac}${address.slice(at)}`;
}

/**
 * The ticket or chat of this site that a recipient's address belongs to; undefined if the address isn't the
 * mailbox's or wasn't signed here.
 */
export function readReplyAddress(
  services: Deriver,
  siteId: number,
  mailboxAddress: string,
  recipient: string,
): { target: ReplyTarget; id: number } | undefined {
  const given = recipient.toLowerCase();
  const at = given.lastIndexOf('@');
  const [tag, kind, number, mac = ''] = TAG.exec(given.slice(0, at)) ?? [];
  if (tag === undefined || given.slice(0, at - tag.length) + given.slice(at) !== mailboxAddress)
    return undefined;
  const target = kind === 'c' ? 'chat' : 'ticket';
  const id = Number(number);
  const good = services.derivedToken.all(purposeOf(target, siteId, id)).map(macOf);
  return isAmong(mac, good) ? { target, id } : undefined;
}
