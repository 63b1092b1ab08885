import { inviteOf } from './invite.ts';
import type { MailFile, ParsedMail } from './parsed-mail.ts';
import { openWinmail } from './winmail.ts';

const WINMAIL = /^application\/(?:vnd\.)?ms-tnef$/;
const CALENDAR = /^(?:text\/calendar|application\/ics)$/;
const NAMES: Readonly<Record<string, string>> = {
  'text/calendar': 'invite.ics',
  'application/ics': 'invite.ics',
  'message/rfc822': 'message.eml',
  'message/delivery-status': 'delivery-status.txt',
  'text/rfc822-headers': 'headers.txt',
  'text/html': 'message.html',
  'text/plain': 'message.txt',
};

/** `image/png` → `image.png` */
function nameOf({ contentType }: MailFile): string {
  const [, kind] = /^image\/([a-z]{1,9})$/.exec(contentType) ?? [];
  return NAMES[contentType] ?? (kind === undefined ? '' : `image.${kind === 'jpeg' ? 'jpg' : kind}`);
}

const isWinmail = ({ name, contentType }: MailFile): boolean =>
  WINMAIL.test(contentType) || name.toLowerCase() === 'winmail.dat';

/** Replaces a `winmail.dat` by its contents. One that can't be read stays as it is. */
function openFiles(mail: ParsedMail): ParsedMail {
  if (!mail.files.some(isWinmail)) return mail;
  let { text, html } = mail;
  // Only of the first such file: reading it takes longer than everything else of a mail.
  let readsRtf = true;
  const files = mail.files.flatMap((file) => {
    const hasNoBody = !text?.trim() && html === null;
    const opened = isWinmail(file)
      ? openWinmail(file.content, { readsRtf: readsRtf && hasNoBody })
      : undefined;
    if (!opened) return [file];
    readsRtf = false;
    if (hasNoBody) ({ text, html } = opened);
    const inside = opened.files.map((one) => ({ ...one, isInline: false, method: null }));
    return opened.isPartial ? [...inside, file] : inside;
  });
  return { ...mail, text, html, files };
}

/** Programs send an invitation twice: for the calendar, and as a file. */
const withoutRepeated = (files: readonly MailFile[]): MailFile[] =>
  files.filter(
    (file, at) =>
      !CALENDAR.test(file.contentType) ||
      files.findIndex((one) => CALENDAR.test(one.contentType) && one.content.equals(file.content)) === at,
  );

/** Contents that plain text doesn't show: files in a `winmail.dat`, and invitations. Files without a name get one. */
export async function unpack(parsed: ParsedMail): Promise<ParsedMail> {
  const mail = openFiles(parsed);
  const files = withoutRepeated(mail.files).map((file) =>
    file.name ? file : { ...file, name: nameOf(file) },
  );
  const calendar = files.find(({ contentType }) => CALENDAR.test(contentType));
  return { ...mail, files, invite: calendar ? await inviteOf(calendar.content) : null };
}
