import type { MailPerson } from '@foyer/protocol';

/** A file of a mail. */
export interface MailFile {
  name: string;
  contentType: string;
  content: Buffer;
  /** Without angle brackets; null if the HTML can't refer to it. */
  contentId: string | null;
  isInline: boolean;
  /** Of a calendar part, such as `REQUEST`. */
  method: string | null;
}

/** A mail's author, recipients, subject and files. All texts are well-formed and contain no NUL. */
export interface MailHead {
  /** Unfolded values by lower-case name, the topmost first. */
  headers: ReadonlyMap<string, readonly string[]>;
  from: MailPerson | null;
  to: MailPerson[];
  cc: MailPerson[];
  subject: string;
  /** Without angle brackets. */
  messageId: string | null;
  /** Of `In-Reply-To`, then of `References` from the newest. */
  refersTo: string[];
  date: string;
  files: MailFile[];
}

/** A mail's content, decoded. */
export interface ParsedMail extends MailHead {
  text: string | null;
  html: string | null;
  /** The invitation of a calendar file in it, as lines. */
  invite: string | null;
}
