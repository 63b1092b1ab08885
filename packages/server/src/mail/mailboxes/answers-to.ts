import type { SiteContext } from '../../core/context.ts';
import type { Mail } from '../mailer.ts';
import { mailboxSender, type SendingMailbox } from './mailboxes.ts';
import { type ReplyTarget, replyAddressOf } from './reply-addresses.ts';

/** Where answers to a mail of a ticket or chat are sent, if not to its sender. */
export async function answersTo(
  ctx: SiteContext,
  mailbox: SendingMailbox,
  target: ReplyTarget,
  id: number,
): Promise<Pick<Mail, 'replyTo'>> {
  const { site, services } = ctx;
  const { address, has_plus_addresses } = mailbox;
  if (has_plus_addresses) return { replyTo: replyAddressOf(services, address, target, site.id, id) };
  return (await mailboxSender(ctx, mailbox)) === address ? {} : { replyTo: address };
}
