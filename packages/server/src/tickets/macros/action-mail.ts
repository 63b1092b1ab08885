import { ACTION_SUBJECT_MAX, TICKET_TEXT_MAX } from '@foyer/protocol';
import type { PlaceholderValues } from '@foyer/protocol/values/macro-text';
import { atSite, notificationPath } from '../../base/desk-paths.ts';
import { html } from '../../base/html.ts';
import { findSession } from '../../conversations/sessions.ts';
import type { SiteContext } from '../../core/context.ts';
import { job } from '../../core/job.ts';
import type { JobData } from '../../core/job-data.ts';
import { noteMailFailure } from '../../mail/failures.ts';
import { MailRefused } from '../../mail/mailer.ts';
import { findMailer } from '../../mail/site-mailer.ts';
import { getSite } from '../../sites/sites.ts';
import { ticketsOfIds } from '../tickets.ts';
import type { MailRecipient } from './act-outside.ts';
import { filledText, valuesOfChat, valuesOfTicket } from './filled-text.ts';

type Data = JobData<'mail.action'>;

interface Addressee {
  name: string | null;
  address: string;
}

/** Undefined for an agent who was removed meanwhile. */
async function addresseeOf({ db, site }: SiteContext, to: MailRecipient): Promise<Addressee | undefined> {
  if ('address' in to) return { name: null, address: to.address };
  return db
    .selectFrom('agents as a')
    .innerJoin('auth_users as u', 'u.id', 'a.user_id')
    .select(['a.name', 'u.email as address'])
    .where('a.site_id', '=', site.id)
    .where('a.id', '=', to.agent_id)
    .where('a.removed_at', 'is', null)
    .executeTakeFirst();
}

/** Undefined if the chat or ticket was deleted meanwhile. */
async function valuesOf(
  ctx: SiteContext,
  { ticket_id, session_id, agent_name }: Data,
  siteName: string,
): Promise<PlaceholderValues | undefined> {
  const names = { siteName, agentName: agent_name || siteName };
  const [ticket] = ticket_id === null ? [] : await ticketsOfIds(ctx, [ticket_id]);
  if (ticket) return valuesOfTicket(ticket, names);
  const chat = session_id === null ? undefined : await findSession(ctx.db, ctx.site.id, session_id);
  return chat && valuesOfChat(chat, names);
}

async function sendActionMail(ctx: SiteContext, data: Data): Promise<void> {
  const { mail, to, ticket_id, session_id } = data;
  const mailer = await findMailer(ctx);
  const addressee = await addresseeOf(ctx, to);
  const site = await getSite(ctx.db, ctx.site.id);
  const values = await valuesOf(ctx, data, site.name);
  if (!mailer || !addressee || !values) return;
  const text = filledText(data.body, values, TICKET_TEXT_MAX);
  // An address outside the team can't open the desk.
  const link =
    'agent_id' in to
      ? ctx.services.address.url + atSite(ctx.site.id, notificationPath(session_id, ticket_id))
      : undefined;
  const id = `action-${mail}-${'agent_id' in to ? to.agent_id : 0}`;
  try {
    await mailer.send({
      to: addressee,
      fromName: site.name,
      subject: filledText(data.subject, values, ACTION_SUBJECT_MAX),
      text: `${[text, ...(link ? [link] : [])].join('\n\n')}\n`,
      html: html`<p dir="auto" style="white-space:pre-wrap">${text}</p>${link && html`<p><a href="${link}">${link}</a></p>`}`.toString(),
      id,
      thread: [id],
      headers: { 'auto-submitted': 'auto-generated' },
    });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ err: error, ticket_id, session_id }, 'a mail of a rule or macro was permanently refused');
    await noteMailFailure(ctx, 'action', error);
  }
}

export const actionMailJobs = [
  job({
    name: 'mail.action',
    // A mail server may be down for a night.
    retries: { limit: 12, delayS: 30, maxDelayS: 3_600 },
    run: sendActionMail,
    giveUp: (ctx, _, error) => noteMailFailure(ctx, 'action', error),
  }),
];
