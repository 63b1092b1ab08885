import type { z } from 'zod';
import { bulkChangesContract } from './chat/bulk-changes.ts';
import { conversationApiContract } from './chat/conversation-api.ts';
import { chatContract, conversationContract } from './chat/conversations.ts';
import { exportContract } from './chat/exports.ts';
import { inboxContract } from './chat/inbox.ts';
import { inboxViewContract } from './chat/inbox-views.ts';
import { doorContract } from './chat/pre-chat.ts';
import { redactionContract } from './chat/redactions.ts';
import { spamContract } from './chat/spam.ts';
import { writingContract } from './chat/writing.ts';
import { fieldContract } from './fields/fields.ts';
import { actionContract } from './knowledge/actions.ts';
import { articleDeskContract } from './knowledge/article-desk.ts';
import { botContract } from './knowledge/bot.ts';
import { categoryContract } from './knowledge/categories.ts';
import { helpContract, helpDeskContract } from './knowledge/help.ts';
import { knowledgeContract } from './knowledge/knowledge.ts';
import { languageModelContract } from './knowledge/language-model.ts';
import { sourceContract } from './knowledge/sources.ts';
import { trainingContract } from './knowledge/training.ts';
import { mailContract } from './mail/mail.ts';
import { mailLogContract } from './mail/mail-log.ts';
import { mailboxContract } from './mail/mailboxes.ts';
import { auditContract } from './sites/audit.ts';
import { blocksContract } from './sites/blocks.ts';
import { firstStepsContract } from './sites/first-steps.ts';
import { identityProviderContract } from './sites/identity-providers.ts';
import { importsContract } from './sites/imports.ts';
import { notificationContract } from './sites/notifications.ts';
import { reportContract } from './sites/reports.ts';
import { retentionContract } from './sites/retention.ts';
import { roleContract } from './sites/roles/roles.ts';
import { ruleContract } from './sites/rules.ts';
import { sampleContract } from './sites/samples.ts';
import { siteArchiveContract } from './sites/site-archive.ts';
import { siteContract } from './sites/sites.ts';
import { teamContract } from './sites/teams.ts';
import { usageContract } from './sites/usage.ts';
import { webhookContract } from './sites/webhooks.ts';
import { bulkContract } from './tickets/bulk.ts';
import { macroContract } from './tickets/macros.ts';
import { portalContract } from './tickets/portal.ts';
import { savedViewContract } from './tickets/saved-views.ts';
import { slaContract } from './tickets/sla.ts';
import { ticketMailsContract } from './tickets/ticket-mails.ts';
import { ticketContract } from './tickets/tickets.ts';
import { proactiveContract } from './visitors/proactive.ts';
import { processingContract } from './visitors/processing.ts';
import { segmentContract } from './visitors/segments.ts';
import { visitorDeskContract } from './visitors/visitor-desk.ts';
import { visitorProfileContract } from './visitors/visitor-profile.ts';
import { visitorContract } from './visitors/visitors.ts';

/** Input and output of every operation by name. The server's registry implements each. */
export const contract = {
  ...siteContract,
  ...ruleContract,
  ...roleContract,
  ...teamContract,
  ...fieldContract,
  ...firstStepsContract,
  ...sampleContract,
  ...usageContract,
  ...processingContract,
  ...auditContract,
  ...retentionContract,
  ...siteArchiveContract,
  ...identityProviderContract,
  ...importsContract,
  ...mailContract,
  ...mailboxContract,
  ...blocksContract,
  ...mailLogContract,
  ...visitorContract,
  ...visitorDeskContract,
  ...visitorProfileContract,
  ...segmentContract,
  ...proactiveContract,
  ...knowledgeContract,
  ...articleDeskContract,
  ...categoryContract,
  ...helpContract,
  ...trainingContract,
  ...sourceContract,
  ...helpDeskContract,
  ...conversationContract,
  ...conversationApiContract,
  ...bulkChangesContract,
  ...exportContract,
  ...chatContract,
  ...botContract,
  ...languageModelContract,
  ...actionContract,
  ...doorContract,
  ...inboxContract,
  ...inboxViewContract,
  ...redactionContract,
  ...spamContract,
  ...slaContract,
  ...ticketContract,
  ...ticketMailsContract,
  ...macroContract,
  ...savedViewContract,
  ...bulkContract,
  ...notificationContract,
  ...portalContract,
  ...reportContract,
  ...webhookContract,
  ...writingContract,
} as const;

export type Contract = typeof contract;
export type OperationName = keyof Contract;
/** What a caller sends. Fields with defaults are optional. */
export type InputOf<N extends OperationName> = z.input<Contract[N]['input']>;
/** What an operation gets: parsed, with defaults. */
export type ParsedInputOf<N extends OperationName> = z.output<Contract[N]['input']>;
export type OutputOf<N extends OperationName> = z.output<Contract[N]['output']>;
