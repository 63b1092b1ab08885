import { type OutputOf, REPLIES_SHOWN } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { getTicketRow } from '../tickets.ts';

/** The newest mails of a ticket, in the order in which they were sent or received. @throws AppError 404 */
export async function listTicketMails(ctx: SiteContext, id: number): Promise<OutputOf<'tickets.mails'>> {
  await getTicketRow(ctx, id);
  const rows = await ctx.db
    .selectFrom('ticket_mails')
    .select([
      'id',
      'reply_id',
      'is_outgoing',
      'subject',
      'from_address',
      'from_name',
      'to_list',
      'cc_list',
      'bcc_list',
      'is_rich',
      'quoted',
      'authentication',
      'created_at',
    ])
    .select((eb) => eb('html', 'is not', null).as('has_html'))
    .where('site_id', '=', ctx.site.id)
    .where('ticket_id', '=', id)
    .orderBy('id', 'desc')
    .limit(REPLIES_SHOWN)
    .execute();
  const mails = rows.map(({ from_address, from_name, to_list, cc_list, bcc_list, created_at, ...row }) => ({
    ...row,
    from: from_address === null ? null : { name: from_name, address: from_address },
    to: to_list,
    cc: cc_list,
    bcc: bcc_list,
    has_html: Boolean(row.has_html),
    created_utc: created_at.toISOString(),
  }));
  return { mails: mails.toReversed() };
}
