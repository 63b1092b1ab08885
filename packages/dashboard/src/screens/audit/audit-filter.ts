import type { AuditSubject } from '@foyer/protocol';
import { pagesQuery } from '../../call-queries.ts';
import { type Since, sinceTime } from '../settings/webhooks/delivery-filter.ts';

/** The log's filter in the address. */
export interface AuditFilter {
  agent?: number;
  subject?: AuditSubject;
  since?: Since;
}

export const SUBJECTS: Readonly<Record<AuditSubject, true>> = {
  site: true,
  agent: true,
  invitation: true,
  sign_in: true,
  file: true,
  api_token: true,
  webhook_subscription: true,
  identity_provider: true,
  mailbox: true,
  received_mail: true,
  blocked_sender: true,
  block: true,
  visitor: true,
  conversation: true,
  redaction: true,
  segment: true,
  macro: true,
  team: true,
  field: true,
  rule: true,
  role: true,
  sla_policy: true,
  proactive_message: true,
  saved_view: true,
  tag: true,
  conversation_starter: true,
  handoff_rule: true,
  language_model: true,
  action: true,
  category: true,
  articles: true,
  knowledge_source: true,
  samples: true,
  report: true,
  export: true,
  audit: true,
};

/** Whether the log knows this kind of record. */
export const isSubject = (value: unknown): value is AuditSubject =>
  typeof value === 'string' && Object.hasOwn(SUBJECTS, value);

/** The filter in the server's form. */
export const filterInput = ({ agent, subject, since }: AuditFilter) => ({
  ...(agent ? { agent_id: agent } : {}),
  ...(subject ? { subject } : {}),
  ...(since ? { since: sinceTime(since) } : {}),
});

/** The entries that match a filter, paged. */
export const auditQuery = (filter: AuditFilter) =>
  pagesQuery(
    ['audit', filter.agent ?? 'all', filter.subject ?? 'all', filter.since ?? 'all'],
    'audit.list',
    () => filterInput(filter),
    // No event reports new entries.
    { staleTime: 0 },
  );
