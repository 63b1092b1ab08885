import type { MailPerson } from '@foyer/protocol';
import { sql } from 'kysely';
import { withoutTag } from '../../base/email-address.ts';
import type { SiteContext } from '../../core/context.ts';
import { readReplyAddress } from './reply-addresses.ts';

interface OwnMailbox {
  address: string;
  has_plus_addresses: boolean;
}

/**
 * Who gets a copy of a mail: each person once, without those who get it anyway, and without the site's own mailboxes,
 * which would receive their own mail. A tagged address is a mailbox's if mail to it arrives there, or if Foyer signed
 * it, even if the mailbox had such addresses only then; any other may be somebody else's.
 * @param others who get the mail anyway
 */
export async function copiesOf(
  { db, site, services }: SiteContext,
  people: readonly MailPerson[],
  others: readonly string[],
): Promise<MailPerson[]> {
  if (people.length === 0) return [];
  const { rows } = await sql<OwnMailbox>`
    select address, has_plus_addresses from mailboxes where site_id = ${site.id}`.execute(db);
  const isOwn = (address: string): boolean =>
    rows.some(
      (mailbox) =>
        mailbox.address === address ||
        (mailbox.has_plus_addresses && mailbox.address === withoutTag(address)) ||
        readReplyAddress(services, site.id, mailbox.address, address) !== undefined,
    );
  const taken = new Set(others.map((address) => address.toLowerCase()));
  return people.filter((person) => {
    const address = person.address.toLowerCase();
    if (taken.has(address) || isOwn(address)) return false;
    taken.add(address);
    return true;
  });
}
