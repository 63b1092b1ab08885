import { RULE_FAILURES_MAX, type StoredFailure } from '@foyer/protocol';
import { sql } from 'kysely';
import { atSite } from '../base/desk-paths.ts';
import type { SiteContext } from '../core/context.ts';
import { job } from '../core/job.ts';
import type { JobData } from '../core/job-data.ts';
import type { RecurringJob } from '../jobs/schedule.ts';
import { sendAdminMail } from '../mail/admin-mail.ts';
import { noteMailFailure } from '../mail/failures.ts';
import { sendsMail } from '../mail/site-mailer.ts';
import { adminIds } from '../sites/agents/admins.ts';
import type { RuleRow } from './rules.ts';

/**
 * Counts a rule's failures in a row, and disables it after too many. A success resets the count. The row's lock makes it
 * exact across processes.
 * @param failure null: it didn't fail
 */
export async function countFailures(
  tx: SiteContext,
  rule: RuleRow,
  failure: StoredFailure | null,
): Promise<void> {
  if (failure === null && rule.failures === 0) return;
  const ofRule = sql`site_id = ${tx.site.id} and id = ${rule.id} and enabled_at is not null`;
  if (failure === null) {
    await sql`update rules set failures = 0 where ${ofRule}`.execute(tx.db);
    return;
  }
  const reason = `It failed ${RULE_FAILURES_MAX} times in a row. The last time: ${failure.message}`;
  const isOver = sql`failures + 1 >= ${sql.lit(RULE_FAILURES_MAX)}`;
  const { rows } = await sql<{ disabled: boolean }>`
    update rules set failures = failures + 1,
      enabled_at = case when ${isOver} then null else enabled_at end,
      look_at = case when not ${isOver} then look_at end,
      disabled_reason = case when ${isOver} then ${reason}::text end,
      disabled_failure = case when ${isOver} then ${JSON.stringify(failure)}::jsonb end,
      disabled_notice_due_at = case when ${isOver} then ${tx.now()}::timestamptz end
    where ${ofRule} returning enabled_at is null as disabled`.execute(tx.db);
  if (!rows[0]?.disabled) return;
  tx.log.warn({ rule_id: rule.id }, 'a rule was switched off, because it kept failing');
  await tx.emit({
    audit: {
      ...{ subject: 'rule', subjectId: rule.id, label: rule.name, action: 'rules.update' },
      changes: { enabled: [true, false], disabled_reason: [null, reason] },
    },
  });
}

/** Queues a mail to each admin if mail is set up; the desk shows it in any case. */
async function queueNotices(ctx: SiteContext, id: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update rules set disabled_notice_due_at = null
      where site_id = ${tx.site.id} and id = ${id} and disabled_notice_due_at is not null
      returning id`.execute(tx.db);
    if (rows.length === 0 || !(await sendsMail(tx))) return;
    for (const agent_id of await adminIds(tx))
      await tx.enqueue('rules.tell_admin', { rule_id: id, agent_id });
  });
}

/** Does nothing if the rule was enabled again or deleted, or the admin removed, meanwhile. */
async function notifyAdmin(
  ctx: SiteContext,
  { rule_id, agent_id }: JobData<'rules.tell_admin'>,
): Promise<void> {
  const rule = await ctx.db
    .selectFrom('rules')
    .select(['name', 'disabled_reason', 'disabled_failure', 'updated_at'])
    .where('site_id', '=', ctx.site.id)
    .where('id', '=', rule_id)
    .executeTakeFirst();
  const reason = rule?.disabled_reason;
  if (!rule || !reason) return;
  const { disabled_failure: failure } = rule;
  await sendAdminMail(ctx, {
    agentId: agent_id,
    kind: 'rule_disabled',
    path: atSite(ctx.site.id, '/app/settings/rules'),
    thread: `rule-${ctx.site.id}-${rule_id}`,
    occasion: rule.updated_at.getTime(),
    write: ({ say, sayFailure }, site) => ({
      subject: say('rule_off_subject', { name: rule.name }),
      paragraphs: [
        say('rule_off', { site, name: rule.name, count: RULE_FAILURES_MAX }),
        failure ? say('rule_off_why', { failure: sayFailure(failure) }) : reason,
      ],
      next: say('rule_off_next'),
    }),
  });
}

export const disabledRuleClock: RecurringJob = {
  name: 'rules.tell_disabled',
  everyMs: 5_000,
  due: ({ limit }) => sql`
    select site_id as "siteId", id from rules
    where disabled_notice_due_at is not null order by disabled_notice_due_at limit ${limit}`,
  run: queueNotices,
};

export const ruleJobs = [
  job({
    name: 'rules.tell_admin',
    // A mail server may be down for a night.
    retries: { limit: 12, delayS: 30, maxDelayS: 3_600 },
    run: notifyAdmin,
    giveUp: (ctx, _, error) => noteMailFailure(ctx, 'rule_disabled', error),
  }),
];
