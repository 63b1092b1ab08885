import { z } from 'zod';

/** A person in a mail's header. */
export const mailPerson = z.object({ name: z.string().nullable(), address: z.string() });
export type MailPerson = z.infer<typeof mailPerson>;

/** Results of RFC 8601, such as `pass`, `fail`, `none`. */
export const mailAuthentication = z.object({
  spf: z.string(),
  dkim: z.string(),
  dmarc: z.string(),
  /** SPF or DKIM proves the domain of the `From` address. */
  aligned: z.boolean(),
});
export type MailAuthentication = z.infer<typeof mailAuthentication>;
