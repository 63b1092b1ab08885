import { z } from 'zod';
import { id, text, utc } from '../values.ts';
import { mailAuthentication, mailPerson } from './ticket-mail.ts';
import { ticket, ticketMail } from './tickets.ts';

/** How long a reply by email can be undone. */
export const UNDO_REPLY_MAX_S = 60;

/** A mail of a ticket: what it adds to the text of the description or reply. */
export const ticketMailEntry = z.object({
  id,
  /** Null: the ticket's description. */
  reply_id: id.nullable(),
  is_outgoing: z.boolean(),
  subject: z.string().nullable(),
  from: mailPerson.nullable(),
  to: z.array(mailPerson),
  cc: z.array(mailPerson),
  bcc: z.array(mailPerson),
  /** Whether there is an HTML version. */
  has_html: z.boolean(),
  /** Whether it has formatting, images or tables that the text lacks. */
  is_rich: z.boolean(),
  /** Earlier mails and a signature, which the text leaves out. */
  quoted: z.string().nullable(),
  authentication: mailAuthentication.nullable(),
  created_utc: utc,
});
export type TicketMailEntry = z.infer<typeof ticketMailEntry>;

export const ticketMailsContract = {
  /** The newest mails of a ticket, in the order in which they were sent or received. */
  'tickets.mails': { input: z.strictObject({ id }), output: z.object({ mails: z.array(ticketMailEntry) }) },
  /** The HTML of a mail, as a document that runs nothing and loads nothing from the sender's servers. */
  'tickets.mail_html': {
    input: z.strictObject({
      ticket_id: id,
      mail_id: id,
      /** Shows images from other servers, which this server fetches. */
      remote_images: z.boolean().default(false),
    }),
    output: z.object({
      html: z.string(),
      /** How many images from other servers aren't shown. */
      blocked_images: z.int(),
    }),
  },
  /** Deletes the agent's own reply before its mail is sent. */
  'tickets.undo_reply': {
    input: z.strictObject({ ticket_id: id, reply_id: id }),
    output: z.object({
      text: z.string(),
      /** Its files, which can be sent again. */
      files: z.array(z.object({ upload_id: z.uuid(), name: z.string(), size: z.int() })),
      mail: ticketMail,
    }),
  },
  /** Moves a message of the requester or of somebody in Cc into a ticket of its own. */
  'tickets.split': {
    input: z.strictObject({ ticket_id: id, reply_id: id, subject: text(1, 200).optional() }),
    output: ticket,
  },
} as const;
