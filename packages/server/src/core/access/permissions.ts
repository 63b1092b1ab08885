import type { OperationName, Role } from '@foyer/protocol';
import { AGENT_PERMISSIONS, PERMISSIONS, type Permission } from '@foyer/protocol/values/sign-in/permissions';
import { AppError } from '../../base/errors.ts';
import type { Actor, AgentActor } from '../actor.ts';
import type { AnyOperation } from '../operation.ts';

type Domain = OperationName extends infer Name ? (Name extends `${infer D}.${string}` ? D : never) : never;

/** What a custom role needs to change something in a domain, or to do there what otherwise only admins do. */
const OF_DOMAIN: Readonly<Partial<Record<Domain, Permission>>> = {
  sessions: 'answer',
  tickets: 'answer',
  ticket_replies: 'answer',
  ticket_snoozes: 'answer',
  tickets_bulk: 'answer',
  bulk_changes: 'answer',
  spam: 'answer',
  redactions: 'answer',
  portal_links: 'answer',
  received_mails: 'answer',
  blocked_senders: 'answer',
  blocks: 'answer',
  visitors: 'people',
  track: 'people',
  visitor_data: 'personal_data',
  segments: 'shared',
  tags: 'shared',
  saved_views: 'shared',
  articles: 'articles',
  article_drafts: 'articles',
  article_versions: 'articles',
  article_images: 'articles',
  deleted_articles: 'articles',
  training_rows: 'articles',
  training_moves: 'knowledge',
  synonyms: 'knowledge',
  conversation_starters: 'knowledge',
  categories: 'knowledge',
  help_centre: 'knowledge',
  knowledge_sources: 'knowledge',
  bot: 'bot',
  handoff_rules: 'bot',
  language_model: 'bot',
  question_sets: 'bot',
  set_questions: 'bot',
  evaluations: 'bot',
  gaps: 'bot',
  actions: 'bot',
  reports: 'reports',
  site: 'site',
  samples: 'site',
  mail: 'email',
  mailboxes: 'email',
  teams: 'workflow',
  fields: 'workflow',
  rules: 'workflow',
  sla_policies: 'workflow',
  proactive_messages: 'workflow',
  webhook_subscriptions: 'integrations',
  webhook_deliveries: 'integrations',
  retention: 'data',
  processing_record: 'data',
  site_archives: 'data',
  imports: 'data',
  audit: 'audit',
};

/** Exceptions within a domain. Null: no permission allows the operation, so that the base role decides. */
const OF_OPERATION: Readonly<Partial<Record<OperationName, Permission | null>>> = {
  // Notes are for the team; even agents who only read may write them.
  'sessions.note': null,
  'sessions.mark_read': null,
  'sessions.mark_unread': null,
  'tickets.mark_read': null,
  'tickets.mark_unread': null,
  // A note or a public answer: the ticket decides.
  'tickets.reply': null,
  'tickets.delete': 'delete',
  // A private macro or view is the agent's own; a shared one needs `shared`.
  'macros.create': null,
  'macros.update': null,
  'macros.delete': null,
  'inbox_views.create': null,
  'inbox_views.update': null,
  'inbox_views.delete': null,
  // Agents change these lists, but only admins delete what everybody uses.
  'tags.merge': 'workflow',
  'tags.delete': 'workflow',
  'segments.delete': 'workflow',
  'macros.apply': 'answer',
  'macros.apply_to_chat': 'answer',
  'macros.note_use': 'answer',
  'received_mails.source': 'email',
  // Links to choose a password are sent through the site's mail server: an agent who sets it could read an admin's.
  'mail.set': null,
  'mail.clear': null,
  'visitors.erase': 'personal_data',
  'visitors.export': 'personal_data',
  'inbox.export': 'personal_data',
  'articles.import': 'knowledge',
  'articles.preview_import': 'knowledge',
  'articles.export': 'knowledge',
  'articles.render': null,
  'training_rows.import': 'knowledge',
  'copilot.draft_article': 'articles',
  'site.set_plan': null,
};

/** Reads that a custom role needs a permission for. All others are open to every agent. */
const READS: ReadonlySet<string> = new Set<Domain>(['reports', 'audit']);

/** The permission with which a custom role may run an operation; null: that of its base role decides. */
export function permissionFor({ name, who, scope }: AnyOperation): Permission | null {
  const own = OF_OPERATION[name];
  if (own !== undefined) return own;
  const domain = name.slice(0, name.indexOf('.')) as Domain;
  const isOpen = scope === 'read' && who.includes('agent') && !READS.has(domain);
  return isOpen ? null : (OF_DOMAIN[domain] ?? null);
}

/** Everything that an agent may do besides reading and noting. */
export function permissionsOf(role: Role, custom: readonly Permission[] | null): readonly Permission[] {
  if (role === 'admin') return PERMISSIONS;
  return custom ?? AGENT_PERMISSIONS;
}

/** Whether the caller, if it is an agent, has a permission. For other callers, their scopes decide. */
export const has = ({ actor }: { readonly actor: Actor }, permission: Permission): boolean =>
  actor.kind !== 'agent' || permissionsOf(actor.role, actor.permissions ?? null).includes(permission);

/** Whether an agent may run an operation. */
export function agentMayRun(operation: AnyOperation, { role, permissions }: AgentActor): boolean {
  const { who } = operation;
  if (!permissions) return who.includes('agent') || (role === 'admin' && who.includes('admin'));
  const needed = permissionFor(operation);
  if (needed === null) return who.includes('agent');
  return permissions.includes(needed) && (who.includes('agent') || who.includes('admin'));
}

/** The message of the 403 for an agent. */
export const roleRefuses = ({ permissions }: AgentActor): AppError =>
  permissions
    ? new AppError('insufficient_scope', 'Your role doesn’t allow this.', { reason: 'role_refuses' })
    : new AppError('insufficient_scope', 'Only admins of this site can do this.', { reason: 'admins_only' });

/** For operations that no custom role may run. @throws AppError 403 */
export function assertNoCustomRole({ actor }: { readonly actor: Actor }): void {
  if (actor.kind === 'agent' && actor.permissions) throw roleRefuses(actor);
}

/** @throws AppError 403 for an agent who lacks the permission */
export function assertHas(ctx: { readonly actor: Actor }, permission: Permission): void {
  if (ctx.actor.kind === 'agent' && !has(ctx, permission)) throw roleRefuses(ctx.actor);
}
