import { hash } from 'node:crypto';
import type { OutputOf, ParsedInputOf } from '@foyer/protocol';
import { sql } from 'kysely';
import { notFound } from '../../base/errors.ts';
import type { SiteContext } from '../../core/context.ts';
import type { PublicAddress } from '../../core/public-address.ts';
import { sanitizeMailHtml } from '../../mime/sanitize-mail-html.ts';
import { getTicketRow } from '../tickets.ts';
import { remoteImagePath } from './remote-images.ts';

/** White also in the dark: senders choose colours for a white sheet. */
const STYLE = `
:root { color-scheme: light; background: #fff; color: #1a1a1a; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 12px; overflow-x: auto; overflow-wrap: anywhere; }
img { max-width: 100%; }
img:not([height]) { height: auto; }
pre { white-space: pre-wrap; }
blockquote { margin: 8px 0; padding-inline-start: 12px; border-inline-start: 2px solid #ccc; }
summary { display: inline-block; margin: 8px 0; padding: 0 8px; border-radius: 8px; background: #eee; color: #444; cursor: pointer; }
`;

/** Names the only style sheet of mails in the policy of the desk, which applies in its frames too. */
export const MAIL_STYLE_SOURCE = `'sha256-${hash('sha256', STYLE, 'base64')}'`;

/** Nothing runs and nothing is loaded except images of this server. The desk's own policy allows more. */
const headOf = ({
  filesUrl = '',
}: PublicAddress): string => `<!doctype html><html><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data: ${filesUrl}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<style>${STYLE}</style></head>`;

interface MailRow {
  id: number;
  reply_id: number | null;
  html: string;
}

async function getMail(
  { db, site }: SiteContext,
  { ticket_id, mail_id }: ParsedInputOf<'tickets.mail_html'>,
): Promise<MailRow> {
  const mail = await db
    .selectFrom('ticket_mails')
    .select(['id', 'reply_id', 'html'])
    .where('site_id', '=', site.id)
    .where('ticket_id', '=', ticket_id)
    .where('id', '=', mail_id)
    .where('html', 'is not', null)
    .$narrowType<{ html: string }>()
    .executeTakeFirst();
  if (!mail) throw notFound('email');
  return mail;
}

/** The addresses of the files that a mail's HTML may refer to, by their `Content-ID`. */
async function inlineFiles(ctx: SiteContext, mail: MailRow): Promise<Map<string, string>> {
  const of = mail.reply_id === null ? sql`mail_id = ${mail.id}` : sql`reply_id = ${mail.reply_id}`;
  const { rows } = await sql<{ id: number; content_id: string }>`
    select id, content_id from attachments
    where site_id = ${ctx.site.id} and ${of} and content_id is not null order by id`.execute(ctx.db);
  return new Map(
    rows.map(({ id, content_id }) => {
      const link = ctx.services.attachmentUrl(ctx.site.id, id, ctx.now(), 'image');
      // Without an origin of their own, files are at the desk's address, whichever was opened.
      const { pathname, search } = new URL(link);
      return [content_id, ctx.services.address.filesUrl ? link : pathname + search];
    }),
  );
}

/**
 * The HTML of a mail as a document for a frame without scripts. It is sanitized each time, so that a better sanitizer
 * also covers old mails.
 * @throws AppError 404, also for a mail without HTML
 */
export async function readMailHtml(
  ctx: SiteContext,
  input: ParsedInputOf<'tickets.mail_html'>,
): Promise<OutputOf<'tickets.mail_html'>> {
  await getTicketRow(ctx, input.ticket_id);
  const mail = await getMail(ctx, input);
  const files = await inlineFiles(ctx, mail);
  const { html, blocked } = await sanitizeMailHtml(mail.html, {
    cidUrl: (contentId) => files.get(contentId),
    remote: input.remote_images ? 'proxy' : 'block',
    proxyUrl: (url) => remoteImagePath(ctx, url),
  });
  return {
    html: `${headOf(ctx.services.address)}<body dir="auto">${html}</body></html>`,
    blocked_images: blocked,
  };
}
