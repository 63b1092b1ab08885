import { z } from 'zod';
import { id, page, paging, time, utc } from '../values.ts';

/** What the audit log records, besides tickets, which have their own history. */
export const AUDIT_SUBJECTS = [
  'site',
  'agent',
  'invitation',
  'api_token',
  'webhook_subscription',
  'identity_provider',
  'mailbox',
  'received_mail',
  'blocked_sender',
  'block',
  'segment',
  'macro',
  'team',
  'field',
  'rule',
  'role',
  'sla_policy',
  'proactive_message',
  'saved_view',
  'tag',
  'conversation_starter',
  'handoff_rule',
  'language_model',
  'action',
  'visitor',
  'conversation',
  'redaction',
  'category',
  'articles',
  'knowledge_source',
  'samples',
  'audit',
  'report',
  'export',
  'sign_in',
  'file',
] as const;
export const auditSubject = z.enum(AUDIT_SUBJECTS);
export type AuditSubject = z.infer<typeof auditSubject>;

/** Characters of a value, as JSON, that the log stores. */
export const AUDITED_TEXT_MAX = 1_000;

export const AUDIT_ACTORS = ['agent', 'token', 'visitor', 'operator', 'job'] as const;

export const auditEntry = z.object({
  id,
  /** `operator` is the command line, `job` the clock. `id` and `name` are those of an agent or a token. */
  actor: z.object({ kind: z.enum(AUDIT_ACTORS), id: id.nullable(), name: z.string().nullable() }),
  /** The caller's address; null for callers without a network address. */
  address: z.string().nullable(),
  subject: auditSubject,
  subject_id: id.nullable(),
  /** The record's name at the time. */
  label: z.string().nullable(),
  /** The operation, such as `api_tokens.rotate`. */
  action: z.string(),
  /** `{field: [before, after]}`; never contains secrets. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  created_utc: utc,
});
export type AuditEntry = z.infer<typeof auditEntry>;

const filter = {
  agent_id: id.optional(),
  subject: auditSubject.optional(),
  since: time.optional(),
};

export const auditContract = {
  'audit.list': { input: z.strictObject({ ...filter, ...paging }), output: page(auditEntry) },
  'audit.export': {
    /** `after`: the `next` of the previous part. */
    input: z.strictObject({ ...filter, after: id.optional() }),
    output: z.object({ text: z.string(), next: id.nullable() }),
  },
} as const;
