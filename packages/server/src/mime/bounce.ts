import type { ParsedMail } from './parsed-mail.ts';

/** A mail server's report on a mail of ours. */
export interface Bounce {
  /** Undefined: it will be tried again, or has arrived. */
  isFailure: boolean;
  /** The server's explanation, for the reply's author. */
  error: string;
  /** The Message-IDs that the report names, of which one may be ours. */
  messageIds: string[];
}

const ERROR_MAX = 500;
/** A report repeats the mail: its ids are among the first headers. */
const READ_MAX = 64 * 1024;
const IDS_MAX = 50;

const isReporter = ({ from, headers }: ParsedMail, envelopeFrom: string | null): boolean =>
  envelopeFrom === '' ||
  headers.get('return-path')?.[0]?.trim() === '<>' ||
  /^(?:mailer-daemon|postmaster)@/i.test(from?.address ?? '');

const field = (status: string, name: string): string | undefined => {
  const lines = status.replace(/\r?\n[ \t]+/g, ' ').split('\n');
  const line = lines.find((one) => one.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1).trim();
};

/** Message-IDs in the form of Foyer's own, without their domain. */
function idsIn(text: string): string[] {
  const ids = new Set<string>();
  for (const [id] of text.matchAll(/(?:reply|ticket|chat)-\d{1,15}-\d{1,15}\.[\w-]{16}(?=@)/g)) {
    ids.add(id);
    if (ids.size === IDS_MAX) break;
  }
  return [...ids];
}

/** Words of reports that have no machine-readable part, in the languages of the large providers. */
const FAILED =
  /undeliver|delivery (?:status notification|has failed|failure|to the following)|mail delivery failed|returned mail|failure notice|could(?:n't| not) be delivered|unzustellbar|non remis|no se ha podido entregar|non recapitat|onbestelbaar|niedostarcz|teslim edilemedi/i;

/** @returns undefined for a mail that is no report of a mail server */
export function bounceOf(mail: ParsedMail, envelopeFrom: string | null): Bounce | undefined {
  const part = mail.files.find(({ contentType }) => contentType === 'message/delivery-status');
  const texts = [
    mail.text ?? mail.html ?? '',
    ...mail.files.map(({ content }) => content.subarray(0, READ_MAX).toString()),
  ];
  const messageIds = [
    ...new Set([...texts.flatMap((text) => idsIn(text.slice(0, READ_MAX))), ...mail.refersTo]),
  ];
  if (part) {
    const status = part.content.subarray(0, READ_MAX).toString();
    const error = field(status, 'diagnostic-code') ?? field(status, 'status') ?? mail.subject;
    return {
      isFailure: field(status, 'action')?.toLowerCase() === 'failed',
      error: error.slice(0, ERROR_MAX),
      messageIds,
    };
  }
  if (!isReporter(mail, envelopeFrom)) return undefined;
  const said = `${mail.subject}\n${(mail.text ?? '').slice(0, READ_MAX)}`;
  if (!FAILED.test(said)) return undefined;
  const line =
    said.split('\n').find((one) => /\b[45]\d\d[ -]|\b5\.\d{1,3}\.\d{1,3}\b/.test(one)) ?? mail.subject;
  return { isFailure: true, error: line.trim().slice(0, ERROR_MAX), messageIds };
}
