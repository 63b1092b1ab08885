import { webhookSentence } from '@foyer/protocol/values/webhook-sentences';
import { sql } from 'kysely';
import { atSite } from '../base/desk-paths.ts';
import type { SiteContext } from '../core/context.ts';
import type { JobData } from '../core/job-data.ts';
import type { DeskSpeech } from '../i18n/desk-phrases.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { sendAdminMail } from '../mail/admin-mail.ts';
import { sendsMail } from '../mail/site-mailer.ts';
import { adminIds } from '../sites/agents/admins.ts';
import { subscriptions } from './subscriptions.ts';

/** A subscription is disabled if every attempt failed for this many days. */
const FAILING_DAYS = 5;
const FAILING_REASON = webhookSentence('failing', FAILING_DAYS);

/**
 * A condition on the lane `l`. Attempts must have continued to the end: a receiver with one failure and no event
 * since has not failed for days.
 */
const hasOnlyFailed = sql<boolean>`
  l.failing_since is not null and l.last_attempt_at >= l.failing_since + ${sql.lit(FAILING_DAYS)} * interval '1 day'`;

/** Subscriptions to disable, failing longest first. Compares recorded times only. */
export const failing: RecurringJob['due'] = ({ limit }) => sql`
  select l.site_id as "siteId", l.subscription_id as id from webhook_leases l
  join webhook_subscriptions s on s.site_id = l.site_id and s.id = l.subscription_id and s.disabled_at is null
  where ${hasOnlyFailed} order by l.failing_since limit ${limit}`;

/** Checks again under the lock: a delivery may have succeeded since `failing`, and then nothing changes. */
export async function disableFailing(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const now = tx.now();
    // The subscription before its lane, as everywhere.
    await subscriptions.lock(tx, id);
    await sql`
      update webhook_subscriptions s
      set disabled_at = ${now}, disabled_reason = ${FAILING_REASON}, updated_at = ${now}, disabled_notice_due_at = ${now}
      from webhook_leases l
      where s.site_id = ${tx.site.id} and s.id = ${id} and s.disabled_at is null
        and l.site_id = s.site_id and l.subscription_id = s.id and ${hasOnlyFailed}`.execute(tx.db);
  });
}

/** Disabled subscriptions whose admins have not been mailed yet, oldest first. */
export const dueNotices: RecurringJob['due'] = ({ limit }) => sql`
  select site_id as "siteId", id from webhook_subscriptions
  where disabled_notice_due_at is not null order by disabled_notice_due_at limit ${limit}`;

/** Queues a mail to each admin if mail is set up; the desk shows it in any case. */
export async function queueDisabledNotice(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await subscriptions.lock(tx, id);
    if (row.disabled_notice_due_at === null) return;
    await tx.db
      .updateTable('webhook_subscriptions')
      .set({ disabled_notice_due_at: null })
      .where('site_id', '=', tx.site.id)
      .where('id', '=', id)
      .execute();
    if (!(await sendsMail(tx))) return;
    for (const agent_id of await adminIds(tx))
      await tx.enqueue('webhooks.tell_admin', { subscription_id: id, agent_id });
  });
}

/** Why the subscription was disabled, in the language of the agent's desk; the record has it in REST's words. */
function whySaid(reason: string | null, { say }: DeskSpeech): string {
  if (reason === FAILING_REASON) return say('webhook_off_failing', { count: FAILING_DAYS });
  return reason === webhookSentence('gone') ? say('webhook_off_gone') : (reason ?? '');
}

/**
 * The job: one mail to one admin, in their desk's language. Does nothing if the subscription was enabled or deleted,
 * or the admin removed, meanwhile.
 */
export async function notifyAdmin(
  ctx: SiteContext,
  { subscription_id, agent_id }: JobData<'webhooks.tell_admin'>,
): Promise<void> {
  const row = await ctx.db
    .selectFrom('webhook_subscriptions')
    .select(['url', 'disabled_at', 'disabled_reason'])
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', subscription_id)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst();
  if (!row?.disabled_at) return;
  const { url, disabled_reason } = row;
  await sendAdminMail(ctx, {
    agentId: agent_id,
    kind: 'webhook_disabled',
    path: atSite(ctx.site.id, `/app/settings/webhooks/${subscription_id}`),
    thread: `webhook-${ctx.site.id}-${subscription_id}`,
    occasion: row.disabled_at.getTime(),
    write: (speech, site) => ({
      subject: speech.say('webhook_off_subject'),
      paragraphs: [speech.say('webhook_off', { site, url }), whySaid(disabled_reason, speech)],
      next: speech.say('webhook_off_next'),
    }),
  });
}
