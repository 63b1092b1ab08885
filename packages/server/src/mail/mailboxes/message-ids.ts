import type { Services } from '../../core/context.ts';
import { isAmong } from '../../core/vault.ts';

type Deriver = Pick<Services, 'derivedToken'>;

/** What a mail of ours belongs to. */
export type MailSubject = 'reply' | 'ticket' | 'chat';

const MAC_CHARS = 16;
/** Also matches the id with a domain, as other mails refer to it. */
const OWN = /^(reply|ticket|chat)-(\d{1,15})-(\d{1,15})\.([\w-]{16})(?:@|$)/;

const purposeOf = (name: string): string => `message id of ${name}`;
const macOf = (token: string): string => token.slice(0, MAC_CHARS);

/**
 * The part of a Message-ID before the `@`: the same for every attempt, and unpredictable, because anybody who knows it
 * can write into its thread.
 */
export function messageIdOf(services: Deriver, about: MailSubject, siteId: number, id: number): string {
  const name = `${about}-${siteId}-${id}`;
  return `${name}.${macOf(services.derivedToken(purposeOf(name)))}`;
}

/** What the mail with this Message-ID belongs to; undefined for any that this installation didn't create. */
export function readMessageId(
  services: Deriver,
  messageId: string,
): { about: MailSubject; siteId: number; id: number } | undefined {
  const [, about, site, id, mac = ''] = OWN.exec(messageId) ?? [];
  if (about === undefined) return undefined;
  const good = services.derivedToken.all(purposeOf(`${about}-${site}-${id}`)).map(macOf);
  if (!isAmong(mac, good)) return undefined;
  return { about: about as MailSubject, siteId: Number(site), id: Number(id) };
}
