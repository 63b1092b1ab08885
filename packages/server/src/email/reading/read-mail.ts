import type { Redaction } from '@foyer/protocol';
import { type Bounce, bounceOf } from '../../mime/bounce.ts';
import { parseMail } from '../../mime/parse-mail.ts';
import type { MailHead } from '../../mime/parsed-mail.ts';
import { type Said, saidOf } from './content.ts';
import { contentHash } from './content-hash.ts';
import { redactMail } from './redact-mail.ts';

/** What is needed to read a mail, beside its bytes. */
export interface ReadWith {
  /** What the site redacts. */
  redaction: Redaction;
  /** Of the SMTP envelope. */
  envelopeFrom: string | null;
}

/** The parsed mail. */
export interface MailRead {
  mail: MailHead;
  said: Said;
  /** Set for a mail server's report on a mail of ours. */
  bounce: Bounce | undefined;
  /** In hexadecimal. */
  contentHash: string;
  /** The raw message contains data that the site redacts. */
  isRedacted: boolean;
}

/** Parses a mail, in time proportional to its size. @throws MailUnreadable */
export async function readMail(raw: Buffer, { redaction, envelopeFrom }: ReadWith): Promise<MailRead> {
  const sent = await parseMail(raw);
  const parsed = await redactMail(sent, redaction);
  const { text: _text, html: _html, invite: _invite, ...mail } = parsed;
  return {
    mail,
    said: await saidOf(parsed),
    bounce: bounceOf(parsed, envelopeFrom),
    contentHash: contentHash(parsed).toString('hex'),
    isRedacted: parsed !== sent,
  };
}
