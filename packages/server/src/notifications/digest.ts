import { wayOf } from '@foyer/protocol';
import { MINUTE_MS } from '@foyer/protocol/values/durations';
import { sql } from 'kysely';
import { atSite, notificationPath } from '../base/desk-paths.ts';
import type { SiteContext } from '../core/context.ts';
import type { JobData } from '../core/job-data.ts';
import { deskSpeechOf } from '../i18n/desk-phrases.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { noteMailFailure } from '../mail/failures.ts';
import { MailRefused } from '../mail/mailer.ts';
import { composeMissedMail } from '../mail/missed-mail.ts';
import { findMailer, sendsMail } from '../mail/site-mailer.ts';
import { deskLanguageOf } from '../sites/agents/desk-language.ts';
import { withDefaults } from './choices.ts';
import { mailOffPath } from './mail-off.ts';
import { loadNotifications, type NotificationRow, tellingOf } from './notifications.ts';
import { sentenceOf } from './sentences.ts';

const LOOK_EVERY_MS = 10_000;
/** Entries per mail. The list has the rest. */
const GATHERED_MAX = 200;

const delayOf = (row: NotificationRow): number => withDefaults(row.choices).mail_after_minutes * MINUTE_MS;

/** Whether a notification that has been unseen for long enough goes into a mail. */
function isMailed(row: NotificationRow, ctx: SiteContext, canMail: boolean): boolean {
  const { ways, quiet, can_push } = tellingOf(row, ctx.now());
  return wayOf({ attention: 'gone', ways, quiet, canPush: can_push, canMail, missed: true }) === 'mail';
}

/** An agent at the desk sees notifications there: checks again once they have been gone long enough. */
async function putOff(tx: SiteContext, agentId: number, until: Date): Promise<void> {
  await tx.db
    .updateTable('notifications')
    .set({ mail_due_at: until })
    .where('site_id', '=', tx.site.id)
    .where('agent_id', '=', agentId)
    .where('mail_due_at', '<=', tx.now())
    .execute();
}

/** Gathers everything an agent hasn't seen into one mail, whose job is queued in the same transaction. */
async function gather(ctx: SiteContext, agentId: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = tx.now();
    const { rows: due } = await sql`
      select from notifications n where n.site_id = ${tx.site.id} and n.agent_id = ${agentId}
        and n.mail_due_at <= ${now} for update`.execute(tx.db);
    if (due.length === 0) return;
    const rows = await loadNotifications(
      tx.db,
      tx.site.id,
      sql`n.agent_id = ${agentId} and n.seen_at is null and n.mail_id is null and n.mail_due_at is not null
        order by n.happened_at desc limit ${sql.lit(GATHERED_MAX)}`,
    );
    const [first] = rows;
    const back = first && new Date(first.at_desk_at.getTime() + delayOf(first));
    if (back && back > now) return putOff(tx, agentId, back);
    const canMail = await sendsMail(tx);
    const mailed = rows.filter((row) => isMailed(row, tx, canMail)).map(({ id }) => id);
    const mailId = mailed.length === 0 ? null : await makeMail(tx, agentId);
    await sql`
      update notifications n set mail_due_at = null,
        mail_id = case when n.id = any (${mailed}::bigint[]) then ${mailId}::bigint else n.mail_id end
      where n.site_id = ${tx.site.id} and n.agent_id = ${agentId}
        and (n.mail_due_at <= ${now} or n.id = any (${mailed}::bigint[]))`.execute(tx.db);
  });
}

async function makeMail(tx: SiteContext, agentId: number): Promise<number> {
  const { id } = await tx.db
    .insertInto('digest_mails')
    .values({ site_id: tx.site.id, agent_id: agentId, made_at: tx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.enqueue('notifications.mail', { mail_id: id }, { key: `${tx.site.id}:${id}` });
  return id;
}

interface Addressee {
  agent_id: number;
  name: string;
  email: string;
  site_name: string;
}

/**
 * Claims the mail; undefined if it was claimed before: that process may have died between sending and recording,
 * and nobody gets a mail twice.
 */
async function begin(ctx: SiteContext, mailId: number): Promise<Addressee | undefined> {
  const { rows } = await sql<Addressee>`
    update digest_mails m set begun_at = ${ctx.now()}
    from agents a join auth_users u on u.id = a.user_id join sites s on s.id = a.site_id
    where m.site_id = ${ctx.site.id} and m.id = ${mailId} and m.begun_at is null
      and a.site_id = m.site_id and a.id = m.agent_id and a.removed_at is null
    returning m.agent_id, a.name, u.email, s.name as site_name`.execute(ctx.db);
  return rows[0];
}

/** Records the outcome: `sent_at`, or null so that it can be claimed again. */
async function note(
  ctx: SiteContext,
  mailId: number,
  what: { sent_at: Date } | { begun_at: null },
): Promise<void> {
  await ctx.db
    .updateTable('digest_mails')
    .set(what)
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', mailId)
    .execute();
}

/** The job: sends the gathered notifications that are still unseen, or nothing if all were seen. */
export async function sendMissedDigest(
  ctx: SiteContext,
  { mail_id: mailId }: JobData<'notifications.mail'>,
): Promise<void> {
  const { address, derivedToken } = ctx.services;
  const mailer = await findMailer(ctx);
  if (!mailer) throw new Error('a digest can’t be sent: no mail server is set up');
  const rows = await loadNotifications(
    ctx.db,
    ctx.site.id,
    sql`n.mail_id = ${mailId} and n.seen_at is null order by n.happened_at desc`,
  );
  const [first] = rows;
  const to = first && (await begin(ctx, mailId));
  if (!to) return;
  const speech = deskSpeechOf(await deskLanguageOf(ctx, to.agent_id));
  const isHidden = withDefaults(first.choices).hide_contents;
  const linkTo = (path: string): string => address.url + atSite(ctx.site.id, path);
  const whose = { siteId: ctx.site.id, agentId: to.agent_id };
  // Two installations may share a sender's domain.
  const here = derivedToken('message ids').slice(0, 12);
  const mail = composeMissedMail(
    {
      siteName: to.site_name,
      agent: { name: to.name, address: to.email },
      things: rows.map((row) => ({
        sentence: isHidden ? speech.say(`push_hidden_${row.kind}`) : sentenceOf(row, speech),
        text: isHidden ? '' : row.text,
        url: linkTo(notificationPath(row.session_id, row.ticket_id)),
      })),
      inboxUrl: linkTo('/app/inbox'),
      settingsUrl: linkTo('/app/settings/notifications'),
      offUrl: `${address.url}${mailOffPath(whose, ctx.services)}`,
      id: `missed-${ctx.site.id}-${mailId}.${here}`,
      thread: [`missed-${ctx.site.id}-${to.agent_id}.${here}`],
    },
    speech,
  );
  try {
    await mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailRefused)) {
      await note(ctx, mailId, { begun_at: null });
      throw error;
    }
    ctx.log.warn({ err: error, agent_id: to.agent_id }, 'a digest was permanently refused');
    await noteMailFailure(ctx, 'missed', error);
  }
  await note(ctx, mailId, { sent_at: ctx.now() });
}

export const missedClock: RecurringJob = {
  name: 'notifications.mail',
  everyMs: LOOK_EVERY_MS,
  due: ({ now, limit }) => sql`
    select n.site_id as "siteId", n.agent_id as id from notifications n
    where n.mail_due_at <= ${now} group by n.site_id, n.agent_id
    order by min(n.mail_due_at) limit ${limit}`,
  run: gather,
};
