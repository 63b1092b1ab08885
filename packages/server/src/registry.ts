import { contract, type OperationName } from '@foyer/protocol';
import { actionOperations } from './actions/operations.ts';
import { uploadClock } from './attachments/uploads.ts';
import { invalidInput, issuesOf } from './base/errors.ts';
import { workForSite } from './base/loop/loop-time.ts';
import { inSpan } from './base/spans.ts';
import { gapClock } from './bot/gaps/clock.ts';
import { botJobs } from './bot/jobs.ts';
import { botOperations } from './bot/operations.ts';
import { ownBotClock } from './bot/own-bot.ts';
import { chatOperations } from './conversations/chat-operations.ts';
import { conversationClock } from './conversations/clock.ts';
import { chatEmailJobs } from './conversations/emails/send-email.ts';
import { conversationOperations } from './conversations/operations.ts';
import { doorOperations } from './conversations/pre-chat-operations.ts';
import { chatWordClock } from './conversations/search/index-messages.ts';
import { transcriptJobs } from './conversations/transcript-mail.ts';
import { agentMayRun } from './core/access/permissions.ts';
import { isGranted } from './core/access/token-scopes.ts';
import type { Actor } from './core/actor.ts';
import type { SiteContext } from './core/context.ts';
import type { AnyOperation, Method } from './core/operation.ts';
import { emailJobs } from './email/inbound/jobs.ts';
import { emailOperations } from './email/operations.ts';
import { erasureOperations } from './erasure/operations.ts';
import { importOperations } from './imports/operations.ts';
import { importClock, importJobs } from './imports/work.ts';
import { bulkChangeClock, bulkChangeJobs } from './inbox/bulk/work.ts';
import { conversationApiOperations } from './inbox/conversations/operations.ts';
import { inboxOperations } from './inbox/operations.ts';
import type { RecurringJob } from './jobs/schedule.ts';
import { articleDeskOperations } from './knowledge/articles/desk-operations.ts';
import { imageClock } from './knowledge/articles/images.ts';
import { helpOperations } from './knowledge/help/operations.ts';
import { knowledgeOperations } from './knowledge/operations.ts';
import { sourceOperations } from './knowledge/sources/operations.ts';
import { sourceClock, sourceJobs } from './knowledge/sources/read-source.ts';
import { trainingJobs } from './knowledge/training/move.ts';
import { trainingOperations } from './knowledge/training/operations.ts';
import { invitationMailJobs } from './mail/invitation-mail.ts';
import { mailOperations } from './mail/operations.ts';
import { passwordMailJobs } from './mail/password-mail.ts';
import { tokenExpiryClock, tokenExpiryJobs } from './mail/token-expiry.ts';
import { notificationClock } from './notifications/clock.ts';
import { notificationJobs } from './notifications/jobs.ts';
import { notificationOperations } from './notifications/operations.ts';
import { proactiveOperations } from './proactive/operations.ts';
import { redactionOperations } from './redactions/operations.ts';
import { reportClock } from './reports/clock.ts';
import { reportOperations } from './reports/operations.ts';
import { retentionOperations } from './retention/operations.ts';
import { retentionClock } from './retention/runs.ts';
import { ruleClock } from './rules/clock.ts';
import { ruleJobs } from './rules/disabling.ts';
import { ruleOperations } from './rules/operations.ts';
import { sampleOperations } from './samples/operations.ts';
import { archiveClock, archiveJobs } from './site-archive/archives.ts';
import { siteArchiveOperations } from './site-archive/operations.ts';
import { auditOperations } from './sites/audit/audit-operations.ts';
import { audited } from './sites/audit/audited.ts';
import { blockOperations } from './sites/blocks/operations.ts';
import { fieldOperations } from './sites/fields/operations.ts';
import { siteOperations } from './sites/operations.ts';
import { roleOperations } from './sites/roles/operations.ts';
import { sessionClock } from './sites/sign-in/session-limits.ts';
import { singleSignOnOperations } from './sites/single-sign-on/operations.ts';
import { teamsOperations } from './sites/teams/operations.ts';
import { slaOperations } from './sla/operations.ts';
import { teamOperations } from './team/operations.ts';
import { ticketClock } from './tickets/clock.ts';
import { deskOperations } from './tickets/desk-operations.ts';
import { ticketJobs } from './tickets/jobs.ts';
import { ticketOperations } from './tickets/operations.ts';
import { portalOperations } from './tickets/portal/operations.ts';
import { mailJobs } from './tickets/replies/mail.ts';
import { visitorTicketOperations } from './tickets/visitor-operations.ts';
import { visitorDeskOperations } from './visitors/desk/operations.ts';
import { visitorProfileOperations } from './visitors/desk/profile-operations.ts';
import { visitorOperations } from './visitors/operations.ts';
import { pageClock } from './visitors/pages/pages.ts';
import { segmentClock } from './visitors/segments/clock.ts';
import { segmentJobs } from './visitors/segments/fill.ts';
import { segmentOperations } from './visitors/segments/operations.ts';
import { webhookClock } from './webhooks/clock.ts';
import { webhookJobs } from './webhooks/jobs.ts';
import { webhookOperations } from './webhooks/operations.ts';
import { draftClock } from './writing/drafts.ts';
import { writingOperations } from './writing/operations.ts';

/** Every operation of every entry point. */
export const operations: readonly AnyOperation[] = [
  ...siteOperations,
  ...ruleOperations,
  ...teamsOperations,
  ...fieldOperations,
  ...roleOperations,
  ...singleSignOnOperations,
  ...teamOperations,
  ...auditOperations,
  ...blockOperations,
  ...retentionOperations,
  ...siteArchiveOperations,
  ...importOperations,
  ...mailOperations,
  ...emailOperations,
  ...visitorOperations,
  ...erasureOperations,
  ...redactionOperations,
  ...visitorDeskOperations,
  ...visitorProfileOperations,
  ...segmentOperations,
  ...proactiveOperations,
  ...knowledgeOperations,
  ...articleDeskOperations,
  ...helpOperations,
  ...trainingOperations,
  ...sourceOperations,
  ...conversationOperations,
  ...chatOperations,
  ...visitorTicketOperations,
  ...botOperations,
  ...actionOperations,
  ...doorOperations,
  ...conversationApiOperations,
  ...inboxOperations,
  ...slaOperations,
  ...ticketOperations,
  ...deskOperations,
  ...portalOperations,
  ...notificationOperations,
  ...reportOperations,
  ...sampleOperations,
  ...webhookOperations,
  ...writingOperations,
];

/** Every job. Each domain defines its own. */
export const jobs = [
  ...archiveJobs,
  ...botJobs,
  ...bulkChangeJobs,
  ...chatEmailJobs,
  ...emailJobs,
  ...importJobs,
  ...mailJobs,
  ...notificationJobs,
  ...passwordMailJobs,
  ...invitationMailJobs,
  ...tokenExpiryJobs,
  ...segmentJobs,
  ...sourceJobs,
  ...ticketJobs,
  ...trainingJobs,
  ...transcriptJobs,
  ...webhookJobs,
  ...ruleJobs,
] as const;

/** All recurring jobs. */
export const recurringJobs: readonly RecurringJob[] = [
  ...conversationClock,
  chatWordClock,
  ...gapClock,
  ownBotClock,
  ...ticketClock,
  ...notificationClock,
  ...segmentClock,
  ...bulkChangeClock,
  importClock,
  ...pageClock,
  ...webhookClock,
  tokenExpiryClock,
  sessionClock,
  retentionClock,
  archiveClock,
  ...uploadClock,
  imageClock,
  sourceClock,
  ...ruleClock,
  ...reportClock,
  draftClock,
];

const byName = new Map<string, AnyOperation>(operations.map((operation) => [operation.name, operation]));

/** Finds an operation by its full name, such as `tickets.create`. Checks no permission: see `mayRun`. */
export const findOperation = (name: string): AnyOperation | undefined => byName.get(name);

/** The operations of each REST resource, by method. */
export const resources: ReadonlyMap<string, ReadonlyMap<Method, AnyOperation>> = (() => {
  const found = new Map<string, Map<Method, AnyOperation>>();
  for (const operation of operations) {
    if (!operation.rest) continue;
    const { resource, method } = operation.rest;
    const methods = found.get(resource) ?? new Map<Method, AnyOperation>();
    if (methods.has(method)) throw new Error(`${method} ${resource} has two operations`);
    found.set(resource, methods.set(method, operation));
  }
  return found;
})();

/** Whether an actor may run an operation. The only place that decides this. */
export function mayRun(operation: AnyOperation, actor: Actor): boolean {
  const { who, scope } = operation;
  switch (actor.kind) {
    case 'token':
      if (actor.browser) return who.includes('browser');
      if (!who.includes('token')) return false;
      return actor.scopes ? isGranted(operation, actor.scopes) : scope === 'read' || actor.canWrite;
    case 'agent':
      return agentMayRun(operation, actor);
    case 'visitor':
      return who.includes('visitor');
    case 'operator':
      return !who.includes('visitor');
    case 'job':
      return false;
  }
}

/**
 * Parses an input with the contract's schema and runs the operation. The caller has checked `mayRun`.
 * @throws AppError 400 with every issue, and everything the operation throws
 */
export async function runOperation(
  operation: AnyOperation,
  ctx: SiteContext,
  input: unknown,
): Promise<unknown> {
  const parsed = contract[operation.name as OperationName].input.safeParse(input);
  if (!parsed.success) throw invalidInput(issuesOf(parsed.error));
  const { name, audit } = operation;
  const run = (own: SiteContext): Promise<unknown> =>
    operation.mayLag?.(parsed.data)
      ? own.fromReplica((there) => operation.run(there, parsed.data))
      : operation.run(own, parsed.data);
  const attributes = { 'foyer.site_id': ctx.site.id, 'foyer.actor': ctx.actor.kind };
  return workForSite(ctx.site.id, () =>
    inSpan(name, { attributes }, () =>
      audit ? audited(ctx, { subject: audit, action: name, input: parsed.data }, run) : run(ctx),
    ),
  );
}
