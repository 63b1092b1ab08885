import type { z } from 'zod';
import { articleDeskContract } from './article-desk.ts';
import { auditContract } from './audit.ts';
import { botContract } from './bot.ts';
import { bulkContract } from './bulk.ts';
import { bulkChangesContract } from './bulk-changes.ts';
import { categoryContract } from './categories.ts';
import { chatContract, conversationContract } from './conversations.ts';
import { doorContract } from './door.ts';
import { firstStepsContract } from './first-steps.ts';
import { helpContract, helpDeskContract } from './help.ts';
import { importsContract } from './imports.ts';
import { inboxContract } from './inbox.ts';
import { knowledgeContract } from './knowledge.ts';
import { macroContract } from './macros.ts';
import { mailContract } from './mail.ts';
import { notificationContract } from './notifications.ts';
import { portalContract } from './portal.ts';
import { reportContract } from './reports.ts';
import { retentionContract } from './retention.ts';
import { sampleContract } from './samples.ts';
import { savedViewContract } from './saved-views.ts';
import { segmentContract } from './segments.ts';
import { siteArchiveContract } from './site-archive.ts';
import { siteContract } from './sites.ts';
import { ticketContract } from './tickets.ts';
import { trainingContract } from './training.ts';
import { usageContract } from './usage.ts';
import { visitorDeskContract } from './visitor-desk.ts';
import { visitorProfileContract } from './visitor-profile.ts';
import { visitorContract } from './visitors.ts';
import { webhookContract } from './webhooks.ts';
import { writingContract } from './writing.ts';

/** Input and output of every operation by its name; the server's registry implements each. */
export const contract = {
  ...siteContract,
  ...firstStepsContract,
  ...sampleContract,
  ...usageContract,
  ...auditContract,
  ...retentionContract,
  ...siteArchiveContract,
  ...importsContract,
  ...mailContract,
  ...visitorContract,
  ...visitorDeskContract,
  ...visitorProfileContract,
  ...segmentContract,
  ...knowledgeContract,
  ...articleDeskContract,
  ...categoryContract,
  ...helpContract,
  ...trainingContract,
  ...helpDeskContract,
  ...conversationContract,
  ...bulkChangesContract,
  ...chatContract,
  ...botContract,
  ...doorContract,
  ...inboxContract,
  ...ticketContract,
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
/** What a caller sends: defaults may be left out. */
export type InputOf<N extends OperationName> = z.input<Contract[N]['input']>;
/** What an operation gets: parsed, defaults filled in. */
export type ParsedInputOf<N extends OperationName> = z.output<Contract[N]['input']>;
export type OutputOf<N extends OperationName> = z.output<Contract[N]['output']>;
