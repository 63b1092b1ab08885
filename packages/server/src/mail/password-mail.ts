import type { Language } from '@foyer/protocol';
import type { SiteContext } from '../core/context.ts';
import { job } from '../core/job.ts';
import type { JobData } from '../core/job-data.ts';
import type { Db } from '../db/database.ts';
import { speechOf } from '../i18n/phrases.ts';
import { createResetLink } from '../sites/sign-in/password-resets.ts';
import { noteMailFailure } from './failures.ts';
import { composeLinkMail } from './link-mail.ts';
import { type Mail, type Mailer, MailRefused } from './mailer.ts';
import { findMailer } from './site-mailer.ts';

/** The recipient as an agent of each of their sites, the first joined first. */
interface Seat {
  email: string;
  name: string;
  siteName: string;
  language: Language;
}

const seatsOf = (db: Db, userId: string): Promise<Seat[]> =>
  db
    .selectFrom('agents as a')
    .innerJoin('auth_users as u', 'u.id', 'a.user_id')
    .innerJoin('sites as s', 's.id', 'a.site_id')
    .select(['u.email', 'a.name', 's.name as siteName'])
    .select(({ fn }) => fn.coalesce('a.language', 's.language').as('language'))
    .where('a.user_id', '=', userId)
    .where('a.removed_at', 'is', null)
    .orderBy('a.created_at')
    .orderBy('a.site_id')
    .execute();

/** Whether any person of this installation can get a link by email. */
export async function canMailLinks(db: Db, mailer: Mailer | undefined): Promise<boolean> {
  if (mailer) return true;
  return (await db.selectFrom('mail_settings').select('site_id').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * The mailer of SMTP_URL, or else of the person's only site: a link sent through one site's mail server must not
 * give access to another site.
 */
async function mailerFor(ctx: SiteContext, seats: readonly Seat[]): Promise<Mailer | undefined> {
  return seats.length > 1 ? ctx.services.mailer : findMailer(ctx);
}

interface PasswordMail {
  seat: Seat;
  /** The site's name, or Foyer for a person with several sites. */
  from: string;
  about: JobData<'mail.password'>['about'];
  /** The page where the password is chosen. */
  url: string;
  id: string;
}

const PHRASES = {
  link: {
    subject: 'password_link_subject',
    what: 'password_link',
    hint: 'password_link_hint',
    button: 'password_link_button',
  },
  changed: {
    subject: 'password_changed_subject',
    what: 'password_changed',
    hint: 'password_changed_hint',
    button: 'password_changed_button',
  },
  passkey_added: {
    subject: 'passkey_added_subject',
    what: 'passkey_added',
    hint: 'passkey_hint',
    button: 'password_changed_button',
  },
  passkey_removed: {
    subject: 'passkey_removed_subject',
    what: 'passkey_removed',
    hint: 'passkey_hint',
    button: 'password_changed_button',
  },
} as const;

function composePasswordMail({ seat, from, about, url, id }: PasswordMail): Mail {
  const speech = speechOf(seat.language);
  const { what, subject, hint, button } = PHRASES[about];
  return composeLinkMail({
    to: { name: seat.name, address: seat.email },
    fromName: from,
    subject: speech.say(subject, { site: from }),
    speech,
    what: speech.say(what, { email: seat.email }),
    hint: speech.say(hint),
    hintFirst: about !== 'link',
    button: speech.say(button),
    url,
    id,
  });
}

/**
 * The job: sends a link to choose a new password, or the notice that it or the passkeys were changed. The link is
 * created here, not when it is requested, because a queued job would store its token in readable form. A retry sends a
 * new link.
 */
async function sendPasswordMail(
  ctx: SiteContext,
  { user_id: userId, about }: JobData<'mail.password'>,
): Promise<void> {
  const { db } = ctx;
  const { url: baseUrl } = ctx.services.address;
  const seats = await seatsOf(db, userId);
  const [seat] = seats;
  const mailer = await mailerFor(ctx, seats);
  if (!seat || !mailer) {
    ctx.log.warn(
      { user_id: userId, about },
      'a mail about a password was not sent: no mail server may send it',
    );
    if (seat) await noteMailFailure(ctx, 'password', 'No mail server may send it.');
    return;
  }
  const now = ctx.now();
  const url =
    about === 'link'
      ? (await ctx.transaction((tx) => createResetLink(tx.db, { userId, baseUrl, now }))).url
      : `${baseUrl}/app/forgot-password`;
  const from = seats.length > 1 ? 'Foyer' : seat.siteName;
  const id = `password-${about}-${now.getTime()}.${ctx.services.derivedToken(`password mail ${userId}`).slice(0, 12)}`;
  try {
    await mailer.send(composePasswordMail({ seat, from, about, url, id }));
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    ctx.log.warn({ err: error, user_id: userId, about }, 'a mail about a password is refused for good');
    await noteMailFailure(ctx, 'password', error);
  }
}

/** About ten minutes: somebody is waiting in front of the screen, or has requested another by then. */
const RETRIES = { limit: 6, delayS: 10, maxDelayS: 300 };

export const passwordMailJobs = [
  job({
    name: 'mail.password',
    retries: RETRIES,
    run: sendPasswordMail,
    giveUp: (ctx, _, error) => noteMailFailure(ctx, 'password', error),
  }),
];
