import { html } from '../base/html.ts';
import type { SiteContext } from '../core/context.ts';
import { type DeskSpeech, deskSpeechOf } from '../i18n/desk-phrases.ts';
import { deskLanguageOf } from '../sites/agents/desk-language.ts';
import { noteMailFailure } from './failures.ts';
import { MailRefused } from './mailer.ts';
import { findMailer } from './site-mailer.ts';

interface AdminMailWords {
  subject: string;
  /** What has happened, in paragraphs. */
  paragraphs: string[];
  /** The next step, above the link. */
  next: string;
}

interface AdminMail {
  agentId: number;
  /** The kind of mail under which admins see a permanent refusal. */
  kind: Parameters<typeof noteMailFailure>[1];
  /** The link's address at the desk. */
  path: string;
  /** The thread of mails about the same thing, so that clients show them together. */
  thread: string;
  /** Distinguishes this mail from others of the thread. A retry has the same. */
  occasion: string | number;
  write(speech: DeskSpeech, site: string): AdminMailWords;
}

/** Sends one mail to one admin, in their desk's language. Does nothing if they were removed or no mail can be sent. */
export async function sendAdminMail(ctx: SiteContext, mail: AdminMail): Promise<void> {
  const { agentId, kind, thread, occasion } = mail;
  const mailer = await findMailer(ctx);
  const admin = await ctx.db
    .selectFrom('agents as a')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .innerJoin('auth_users as u', 'u.id', 'a.user_id')
    .select(['s.name as site', 'a.name', 'u.email'])
    .where('a.site_id', '=', ctx.site.id)
    .where('a.id', '=', agentId)
    .where('a.removed_at', 'is', null)
    .executeTakeFirst();
  if (!mailer || !admin) return;
  const link = ctx.services.address.url + mail.path;
  const speech = deskSpeechOf(await deskLanguageOf(ctx, agentId));
  const { subject, paragraphs, next } = mail.write(speech, admin.site);
  try {
    await mailer.send({
      to: { name: admin.name, address: admin.email },
      fromName: admin.site,
      subject,
      text: `${[...paragraphs, next].join('\n\n')}\n${link}\n`,
      html: html`${paragraphs.map((text) => html`<p>${text}</p>`)}<p>${next}<br><a href="${link}">${link}</a></p>`.toString(),
      id: `${thread}-${occasion}-${agentId}`,
      thread: [thread],
      headers: { 'auto-submitted': 'auto-generated' },
    });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ err: error, agent_id: agentId, kind }, 'a mail to an admin was permanently refused');
    await noteMailFailure(ctx, kind, error);
  }
}
