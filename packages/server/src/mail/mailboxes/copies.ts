import type { MailPerson } from '@foyer/protocol';
import { sql } from 'kysely';
import { withoutTag } from '../../base/email-address.ts';
import type { SiteContext } from '../../core/context.ts';
import { prepared } from '../../db/prepared.ts';
import { readReplyAddress } from './reply-addresses.ts';

/** A mailbox of the site. */
export interface OwnMailbox {
  id: number;
  address: string;
  has_plus_addresses: boolean;
  /** Gets the tickets that mail to it opens. */
  assignee_id: number | null;
  team_id: number | null;
}

/** The mailboxes of the site. */
export async function ownMailboxes({ db, site }: SiteContext): Promise<OwnMailbox[]> {
  const { rows } = await sql<OwnMailbox>`${prepared}
    select id, address, has_plus_addresses, assignee_id, team_id from mailboxes where site_id = ${site.id}`.execute(
    db,
  );
  return rows;
}

/**
 * Who gets a copy of a mail: each person once, without those who get it anyway, and without the site's own mailboxes,
 * which would receive their own mail. A tagged address is a mailbox's if mail to it arrives there, or if Foyer signed
 * it, even if the mailbox had such addresses only then; any other may be somebody else's.
 * @param others who get the mail anyway
 */
export function copiesAmong(
  { site, services }: SiteContext,
  own: readonly OwnMailbox[],
  people: readonly MailPerson[],
  others: readonly string[],
): MailPerson[] {
  const isOwn = (address: string): boolean =>
    own.some(
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

/** The same, for a caller that doesn't know the site's mailboxes. */
export const copiesOf = async (
  ctx: SiteContext,
  people: readonly MailPerson[],
  others: readonly string[],
): Promise<MailPerson[]> =>
  people.length === 0 ? [] : copiesAmong(ctx, await ownMailboxes(ctx), people, others);
