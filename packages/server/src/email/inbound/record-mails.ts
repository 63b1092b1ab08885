import { sql } from 'kysely';
import type { SiteContext } from '../../core/context.ts';
import { jsonRows, prepared } from '../../db/prepared.ts';
import type { Content } from '../reading/content.ts';
import type { Incoming } from './received.ts';

/** A mail, and the ticket or reply that it became. */
interface Recorded {
  incoming: Incoming;
  content: Content;
  ticketId: number;
  replyId: number | null;
}

const rowOf = ({ incoming, content, ticketId, replyId }: Recorded, n: number) => {
  const { received, mail, mailbox, authentication } = incoming;
  return {
    n,
    ticket_id: ticketId,
    reply_id: replyId,
    mailbox_id: mailbox.id,
    received_id: received.id,
    message_id: mail.messageId ?? `none-${received.id}`,
    subject: mail.subject,
    from_address: mail.from?.address,
    from_name: mail.from?.name,
    to_list: mail.to,
    cc_list: mail.cc,
    html: content.html,
    is_rich: content.isRich,
    quoted: content.quoted,
    authentication,
  };
};

/**
 * Records the mails of tickets, and how the next mails of their threads find them.
 * @returns the ids of these records, in the same order
 */
export async function recordMails(tx: SiteContext, mails: readonly Recorded[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`${prepared}
    with given as materialized (
      select nextval('ticket_mails_id_seq') as id, g.* from (
        select * from ${jsonRows(mails.map(rowOf))} as g (
          n integer, ticket_id bigint, reply_id bigint, mailbox_id bigint, received_id bigint, message_id text,
          subject text, from_address text, from_name text, to_list jsonb, cc_list jsonb, html text, is_rich boolean,
          quoted text, authentication jsonb)
        order by n
      ) g
    ), recorded as (
      insert into ticket_mails (site_id, id, ticket_id, reply_id, mailbox_id, received_id, is_outgoing, message_id,
        subject, from_address, from_name, to_list, cc_list, html, is_rich, quoted, authentication, created_at)
      select ${tx.site.id}::bigint, id, ticket_id, reply_id, mailbox_id, received_id, false, message_id,
        subject, from_address, from_name, to_list, cc_list, html, is_rich, quoted, authentication,
        ${tx.now()}::timestamptz
      from given
    )
    select id from given order by n`.execute(tx.db);
  return rows.map(({ id }) => id);
}
