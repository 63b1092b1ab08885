import type { Language } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import { job } from '../core/job.ts';
import type { JobData } from '../core/job-data.ts';
import { speechOf } from '../i18n/phrases.ts';
import { findMailedInvitation, noteInvitationMail } from '../sites/agents/invitations.ts';
import { noteMailFailure } from './failures.ts';
import { composeLinkMail } from './link-mail.ts';
import { MailRefused } from './mailer.ts';
import { findMailer } from './site-mailer.ts';

/** The language of the person at another site, or else of this one. */
async function languageOf({ db, site }: SiteContext, email: string): Promise<Language> {
  const known = await db
    .selectFrom('agents as a')
    .innerJoin('auth_users as u', 'u.id', 'a.user_id')
    .select('a.language')
    .where('u.email', '=', email)
    .where('a.removed_at', 'is', null)
    .where('a.language', 'is not', null)
    .orderBy('a.created_at')
    .limit(1)
    .executeTakeFirst();
  if (known?.language) return known.language;
  const own = db.selectFrom('sites').select('language').where('id', '=', site.id);
  return (await own.executeTakeFirstOrThrow()).language;
}

/** The job: sends the link, unless it was revoked, replaced or accepted meanwhile. */
async function sendInvitation(
  ctx: SiteContext,
  { invitation_id: id }: JobData<'mail.invitation'>,
): Promise<void> {
  const invitation = await findMailedInvitation(ctx, id);
  if (!invitation) return;
  const { email, inviter, site, url } = invitation;
  const mailer = await findMailer(ctx);
  if (!mailer) return giveUp(ctx, id, 'No mail server may send it.');
  const speech = speechOf(await languageOf(ctx, email));
  const mail = composeLinkMail({
    to: { name: null, address: email },
    fromName: site,
    subject: speech.say('invitation_subject', { site }),
    speech,
    what: speech.say('invitation', { name: inviter, site }),
    hint: speech.say('invitation_hint'),
    button: speech.say('invitation_button'),
    url,
    id: `invitation-${ctx.site.id}-${id}`,
  });
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ err: error, invitation_id: id }, 'an invitation by mail is refused for good');
    return giveUp(ctx, id, error);
  }
  await noteInvitationMail(ctx, id, 'mailed_at');
}

async function giveUp(ctx: SiteContext, id: number, error: unknown): Promise<void> {
  await noteInvitationMail(ctx, id, 'mail_failed_at');
  await noteMailFailure(ctx, 'invitation', error);
}

export const invitationMailJobs = [
  job({
    name: 'mail.invitation',
    // Half an hour: until then the admin can pass the link on.
    retries: { limit: 8, delayS: 10, maxDelayS: 600 },
    run: sendInvitation,
    giveUp: (ctx, { invitation_id: id }, error) => giveUp(ctx, id, error),
  }),
];
