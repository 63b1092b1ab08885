import { z } from 'zod';
import { email, text } from '../values.ts';

/** How many people may get a copy of one mail. */
export const COPIES_MAX = 50;
/** Of a person's name in a header. */
const PERSON_NAME_MAX = 200;

/** A person in a mail's header. */
export const mailPerson = z.object({ name: z.string().nullable(), address: z.string() });
export type MailPerson = z.infer<typeof mailPerson>;

/** People who get a copy of a mail. */
export const copies = z
  .array(
    z.strictObject({
      address: email,
      name: text(1, PERSON_NAME_MAX).nullable().default(null),
    }),
  )
  .max(COPIES_MAX, `must have at most ${COPIES_MAX} addresses`);

/** Results of RFC 8601, such as `pass`, `fail`, `none`. */
export const mailAuthentication = z.object({
  spf: z.string(),
  dkim: z.string(),
  dmarc: z.string(),
  /** SPF or DKIM proves the domain of the `From` address. */
  aligned: z.boolean(),
});
export type MailAuthentication = z.infer<typeof mailAuthentication>;
