import type { AuditSubject, WebhookBody } from '@foyer/protocol';
import { createCounter } from '../base/counters.ts';
import type { Actor } from './actor.ts';
import type { AuditPart, EmitScope } from './domain-event.ts';

export type SecurityEvent = WebhookBody<'security_event'>;

const counted = createCounter(
  'foyer_security_events_total',
  'Security events that this process recorded, by severity and action',
  ['severity', 'action'],
);

/** Every change of these is about access or malware. */
const SUBJECTS: ReadonlySet<AuditSubject | 'ticket'> = new Set([
  'agent',
  'api_token',
  'audit',
  'file',
  'identity_provider',
  'invitation',
  'sign_in',
  'webhook_subscription',
] satisfies AuditSubject[]);

/** Of other subjects: exporting, destroying or revealing data. */
const ACTIONS: ReadonlySet<string> = new Set([
  'site.export',
  'site.import',
  'visitors.erase',
  'visitors.export',
  'exports.get',
  'inbox.export',
]);

/** Settings of a site that protect it. */
const SETTINGS: ReadonlySet<string> = new Set([
  'allowed_origins',
  'challenges',
  'identity_secret_hint',
  'redaction',
  'two_factor_required_at',
]);

/** A refusal, or a protection that was removed. */
const WARNINGS: ReadonlySet<string> = new Set([
  'files.refuse',
  'identity_providers.refused',
  'sign_in.failed',
  'sign_in.locked',
]);

const isAboutSecurity = ({ subject, action, changes = {} }: AuditPart): boolean =>
  SUBJECTS.has(subject) || ACTIONS.has(action) || Object.keys(changes).some((name) => SETTINGS.has(name));

function severityOf({ action, changes = {} }: AuditPart): SecurityEvent['severity'] {
  const [, secondFactor] = changes.two_factor_required_at ?? [];
  return WARNINGS.has(action) || secondFactor === null ? 'warning' : 'notice';
}

/** The actor, as the audit log keeps it; names may change, so they are looked up when the log is read. */
export function auditActor(actor: Actor): { kind: Actor['kind']; id: number | null } {
  const { kind } = actor;
  if (kind === 'agent') return { kind, id: actor.agentId };
  if (kind === 'token') return { kind, id: actor.tokenId };
  return { kind, id: kind === 'visitor' ? actor.visitorId : null };
}

/** @returns an entry of the audit log as the team's security tools receive it; undefined if it isn't about security */
export function securityEventOf(
  { address, actor: caller }: Pick<EmitScope, 'address' | 'actor'>,
  audit: AuditPart,
): SecurityEvent | undefined {
  const { subject, subjectId, action, label = null, changes = {}, actor = caller } = audit;
  if (subject === 'ticket' || !isAboutSecurity(audit)) return undefined;
  return {
    severity: severityOf(audit),
    action,
    subject,
    subject_id: subjectId,
    label,
    actor: auditActor(actor),
    address,
    changes: Object.fromEntries(
      Object.entries(changes).map(([name, [before, after]]) => [name, [before, after]]),
    ),
  };
}

/** Counts an event once its change is committed. */
export const countSecurityEvent = ({ severity, action }: SecurityEvent): void =>
  counted.add(1, severity, action);
