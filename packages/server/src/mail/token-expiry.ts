import { sql } from 'kysely';
import { atSite } from '../base/desk-paths.ts';
import type { SiteContext } from '../core/context.ts';
import { job } from '../core/job.ts';
import type { JobData } from '../core/job-data.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { adminIds } from '../sites/agents/admins.ts';
import { sendAdminMail } from './admin-mail.ts';
import { noteMailFailure } from './failures.ts';
import { sendsMail } from './site-mailer.ts';

/** Queues a mail to each admin if mail is set up; the desk shows it in any case. Revoked tokens need no notice. */
async function queueNotice(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = tx.now();
    const ofToken = sql`site_id = ${tx.site.id} and id = ${id}`;
    // Checks again under the lock: it may have been extended since.
    const { rows } = await sql<{ expires_at: Date; revoked_at: Date | null }>`
      select expires_at, revoked_at from api_tokens where ${ofToken} and expiry_notice_at <= ${now}
      for no key update`.execute(tx.db);
    const [token] = rows;
    if (!token) return;
    const isOver = token.expires_at <= now;
    const next = isOver || token.revoked_at ? null : token.expires_at;
    await sql`update api_tokens set expiry_notice_at = ${next} where ${ofToken}`.execute(tx.db);
    if (token.revoked_at || !(await sendsMail(tx))) return;
    const expires_utc = token.expires_at.toISOString();
    for (const agent_id of await adminIds(tx))
      await tx.enqueue('mail.token_expiry', {
        ...{ token_id: id, agent_id, expires_utc },
        about: isOver ? 'now' : 'soon',
      });
  });
}

/** Does nothing if the token was extended or revoked meanwhile. */
async function sendNotice(ctx: SiteContext, data: JobData<'mail.token_expiry'>): Promise<void> {
  const { token_id, agent_id, expires_utc, about } = data;
  const token = await ctx.db
    .selectFrom('api_tokens')
    .select('name')
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', token_id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '=', new Date(expires_utc))
    .executeTakeFirst();
  if (!token) return;
  await sendAdminMail(ctx, {
    agentId: agent_id,
    kind: 'token_expiry',
    path: atSite(ctx.site.id, '/app/settings/tokens'),
    thread: `token-${ctx.site.id}-${token_id}`,
    occasion: `${Date.parse(expires_utc)}-${about}`,
    write: ({ say }, site) => {
      const { name } = token;
      const time = `${expires_utc.slice(0, 16).replace('T', ' ')} UTC`;
      const isSoon = about === 'soon';
      return {
        subject: say(isSoon ? 'token_expires_subject' : 'token_expired_subject', { name }),
        paragraphs: [say(isSoon ? 'token_expires' : 'token_expired', { name, site, time })],
        next: say('token_expires_next'),
      };
    },
  });
}

export const tokenExpiryClock: RecurringJob = {
  name: 'mail.token_expiry',
  everyMs: 10_000,
  due: ({ now, limit }) => sql`
    select site_id as "siteId", id from api_tokens
    where expiry_notice_at <= ${now} order by expiry_notice_at limit ${limit}`,
  run: queueNotice,
};

export const tokenExpiryJobs = [
  job({
    name: 'mail.token_expiry',
    // A mail server may be down for a night.
    retries: { limit: 12, delayS: 30, maxDelayS: 3_600 },
    run: sendNotice,
    giveUp: (ctx, _, error) => noteMailFailure(ctx, 'token_expiry', error),
  }),
];
