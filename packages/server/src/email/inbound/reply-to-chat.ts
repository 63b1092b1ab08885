import { MESSAGE_MAX } from '@foyer/protocol/values/bounds';
import { type EmailedChat, sayByEmail } from '../../conversations/emails/receive-email.ts';
import type { SiteContext } from '../../core/context.ts';
import type { Noise } from '../../mime/noise.ts';
import { contentOf } from '../reading/content.ts';
import type { NewTickets } from './new-tickets.ts';
import type { Incoming, Outcome } from './received.ts';

/**
 * Whether a mail is its visitor's own: from an address of theirs, and either the domain is proven or a teammate has
 * accepted the mail. A chat has no participants, so nobody else writes in it.
 */
function isOfVisitor(chat: EmailedChat, { mail, authentication, received }: Incoming): boolean {
  const address = mail.from?.address.toLowerCase() ?? '';
  return chat.addresses.includes(address) && (authentication.aligned || received.accepted_at !== null);
}

/**
 * Adds a mail to the chat that it answers, as its visitor's message. Automatic replies are only logged. Somebody else's
 * mail is suspended; accepted, it is a ticket of its sender.
 */
export async function replyToChat(
  tx: SiteContext,
  chat: EmailedChat,
  incoming: Incoming,
  { tickets, noise }: { tickets: NewTickets; noise: Noise | undefined },
): Promise<Outcome> {
  const { received, mail, mailbox, authentication } = incoming;
  const isAccepted = received.accepted_at !== null;
  const of = { said: { conversationId: chat.id, seq: null } };
  if (!isAccepted && (noise === 'auto_reply' || noise === 'automatic'))
    return { state: 'ignored', reason: 'auto_reply', ...of };
  if (chat.is_blocked && !isAccepted) return { state: 'suspended', reason: 'blocked_sender', ...of };
  if (!isOfVisitor(chat, incoming) || chat.is_erased || chat.is_blocked) {
    if (isAccepted) return tickets.add(incoming);
    return { state: 'suspended', reason: 'not_visitor', ...of };
  }
  const { body, quoted, files } = contentOf(incoming, MESSAGE_MAX);
  const said = await sayByEmail(tx, chat, {
    receivedId: received.id,
    mailboxId: mailbox.id,
    messageId: mail.messageId ?? `none-${received.id}`,
    subject: mail.subject,
    from: mail.from?.address ?? '',
    text: body,
    quoted,
    files,
    authentication,
  });
  return { state: 'chat', said };
}
