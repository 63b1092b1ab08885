import { AUDITED_TEXT_MAX, type AuditSubject, CHOSEN_RETENTION_KINDS } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { SiteContext } from '../../core/context.ts';

/** Where the records of a subject are stored, and which of their columns the log may repeat: never a secret. */
interface AuditedTable {
  table: string;
  /** The column with the record's name. */
  label?: string;
  columns: readonly string[];
  /** Records that belong to it, logged as a field: the ids in the column `value` of the rows that name it in `by`. */
  list?: { field: string; table: string; by: string; value: string };
  /** The only record of a site, which has no number. */
  single?: true;
  /** Named by `session_id` instead of a number. */
  isChat?: true;
}

const LOOK = ['color', 'position', 'theme', 'launcher_text', 'language', 'languages', 'greeting', 'sound'];
const DOOR = [
  'pre_chat',
  'allowed_origins',
  'email_offer_after_s',
  'consent',
  'live_visitors',
  'challenges',
  'redaction',
  'office_hours',
  'logo',
  'typing_preview',
];
const KEPT = CHOSEN_RETENTION_KINDS.map((kind) => `keep_${kind}_days`);
const DESK = [
  'signature',
  'routing',
  'ticket_routing',
  'return_chats_after_s',
  'team_fallback_after_s',
  'ticket_fallback_after_s',
  'last_agent_first',
  'email_replies_after_min',
  'chat_mailbox_id',
  'two_factor_required_at',
  'session_idle_hours',
  'session_max_days',
];
const FILES = ['upload_max_bytes', 'upload_max_files', 'upload_kinds'];
const BOT = [
  'bot_name',
  'bot_off_at',
  'own_bot_since',
  'own_bot_timeout_s',
  'bot_tone',
  'bot_rules',
  'synonyms',
];
const MODEL = ['model_answers_per_chat', 'model_answers_per_day'];
const HELP = ['help_slug', 'help_title', 'help_intro', 'help_enabled', 'help_indexed'];
/** A new identity secret is recognised by its last characters and its date, a key of SAML by its certificate. */
const IDENTITY = ['identity_secret_hint', 'identity_secret_made_at', 'saml_certificate'];

/** A subject without a table is an event, with no values to compare. */
const TABLES: Partial<Record<AuditSubject, AuditedTable>> = {
  site: {
    table: 'sites',
    columns: [
      'name',
      'plan',
      ...LOOK,
      ...DOOR,
      ...DESK,
      ...KEPT,
      ...FILES,
      ...BOT,
      ...MODEL,
      ...HELP,
      ...IDENTITY,
    ],
  },
  agent: {
    table: 'agents',
    label: 'name',
    columns: ['role', 'custom_role_id', 'chat_limit', 'ticket_limit', 'languages', 'picture', 'removed_at'],
    list: { field: 'skill_ids', table: 'agent_skills', by: 'agent_id', value: 'tag_id' },
  },
  invitation: { table: 'invitations', label: 'email', columns: ['role', 'revoked_at'] },
  api_token: {
    table: 'api_tokens',
    label: 'name',
    columns: [
      'name',
      'hint',
      'can_write',
      'scopes',
      'browser_origins',
      'allowed_addresses',
      'expires_at',
      'revoked_at',
    ],
  },
  // The address may contain a key of the receiver's.
  webhook_subscription: {
    table: 'webhook_subscriptions',
    label: 'description',
    columns: ['events', 'description', 'secret_hint', 'disabled_at'],
  },
  identity_provider: {
    table: 'identity_providers',
    label: 'name',
    columns: [
      'name',
      'issuer',
      'client_id',
      'saml_sign_in_url',
      'saml_certificates',
      'saml_encrypted_only',
      'domains',
      'creates_agents',
      'default_role',
      'groups_claim',
      'group_roles',
      'asks_code',
      'refuses_passwords_at',
      'disabled_at',
      'scim_token_hint',
    ],
  },
  mailbox: {
    table: 'mailboxes',
    label: 'address',
    columns: [
      'address',
      'name',
      'assignee_id',
      'team_id',
      'is_enabled',
      'incoming',
      'imap_host',
      'imap_folder',
      'smtp_host',
      'has_plus_addresses',
    ],
  },
  // The message isn't repeated here.
  conversation: {
    table: 'conversations',
    label: 'session_id',
    columns: ['status', 'agent_id', 'snoozed_until', 'last_seq'],
    isChat: true,
  },
  blocked_sender: { table: 'blocked_senders', label: 'sender', columns: ['sender'] },
  block: { table: 'blocked_senders', label: 'sender', columns: ['sender', 'note', 'expires_at'] },
  segment: { table: 'segments', label: 'name', columns: ['name', 'rule'] },
  rule: {
    table: 'rules',
    label: 'name',
    columns: ['name', 'trigger', 'conditions', 'actions', 'is_final', 'enabled_at', 'position'],
  },
  team: {
    table: 'teams',
    label: 'name',
    columns: [
      'name',
      'description',
      'emoji',
      'lead_id',
      'office_hours',
      'routing',
      'ticket_routing',
      'archived_at',
    ],
    list: { field: 'member_ids', table: 'team_members', by: 'team_id', value: 'agent_id' },
  },
  field: {
    table: 'fields',
    label: 'name',
    columns: ['name', 'choices', 'position', 'required', 'visible', 'archived_at'],
  },
  role: { table: 'roles', label: 'name', columns: ['name', 'description', 'permissions'] },
  sla_policy: {
    table: 'sla_policies',
    label: 'name',
    columns: ['name', 'position', 'applies_to', 'conditions', 'targets', 'hours', 'warn_minutes', 'pauses'],
  },
  proactive_message: {
    table: 'proactive_messages',
    label: 'name',
    columns: [
      'name',
      'position',
      'enabled_at',
      'texts',
      'sender_id',
      'pages',
      'except_pages',
      'after_s',
      'min_visits',
      'segment_ids',
      'languages',
      'from_date',
      'until_date',
      'hours',
      'weekly',
      'quiet_hours',
    ],
  },
  macro: { table: 'macros', label: 'name', columns: ['name', 'actions', 'team_id'] },
  saved_view: {
    table: 'saved_views',
    label: 'name',
    columns: ['name', 'filter', 'sort', 'position', 'team_id'],
  },
  tag: { table: 'tags', label: 'name', columns: ['name', 'color'] },
  conversation_starter: {
    table: 'conversation_starters',
    label: 'label',
    columns: ['label', 'prompt', 'position'],
  },
  category: { table: 'categories', label: 'name', columns: ['name', 'position'] },
  knowledge_source: { table: 'knowledge_sources', label: 'address', columns: ['kind', 'address'] },
  // Steps have texts and addresses, which may hold a key of the receiver's.
  action: {
    table: 'actions',
    label: 'name',
    columns: ['name', 'label', 'purpose', 'examples', 'verified', 'disabled_at', 'version'],
  },
  handoff_rule: {
    table: 'handoff_rules',
    label: 'name',
    columns: ['name', 'words', 'pages', 'segment_ids', 'hours', 'disabled_at'],
  },
  language_model: {
    table: 'language_models',
    columns: ['provider', 'base_url', 'model', 'key_hint', 'off_at'],
    single: true,
  },
};

interface RecordNow {
  label: string | null;
  fields: Record<string, unknown>;
}

/** The ids of a list of the record (as `r`), in a field. */
const listed = ({ field, table, by, value }: NonNullable<AuditedTable['list']>): RawBuilder<unknown> => sql`
  jsonb_build_object(${field}::text, (
    select coalesce(jsonb_agg(${sql.ref(`l.${value}`)} order by ${sql.ref(`l.${value}`)}), '[]') from ${sql.table(table)} l
    where l.site_id = r.site_id and ${sql.ref(`l.${by}`)} = r.id))`;

async function recordNow(
  { db, site }: SiteContext,
  subject: AuditSubject,
  id: number | null,
): Promise<RecordNow | null> {
  const place = TABLES[subject];
  if (!place || (id === null && !place.single)) return null;
  const { table, label, columns, list, single } = place;
  const isSite = subject === 'site';
  const isThis = single ? sql`r.site_id = ${site.id}` : sql`r.site_id = ${site.id} and r.id = ${id}`;
  const { rows } = await sql<RecordNow>`
    select ${label === undefined ? sql`null` : sql.ref(`r.${label}`)} as label,
      (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(r)) where key = any (${columns}))
        || ${list ? listed(list) : sql`'{}'`}::jsonb as fields
    from ${sql.table(table)} r
    where ${isSite ? sql`r.id = ${site.id}` : isThis}`.execute(db);
  return rows[0] ?? null;
}

/** A value as the log stores it; a long one is only marked as long. */
function kept(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= AUDITED_TEXT_MAX ? (value ?? null) : `${text.slice(0, AUDITED_TEXT_MAX)}…`;
}

/** The fields whose values differ; a field that wasn't there before has no old value. */
function changesBetween(
  before: RecordNow | null,
  after: RecordNow | null,
): Record<string, [unknown, unknown]> {
  const [old, now] = [before?.fields ?? {}, after?.fields ?? {}];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const isOther = (name: string): boolean =>
    JSON.stringify(old[name] ?? null) !== JSON.stringify(now[name] ?? null);
  return Object.fromEntries(names.filter(isOther).map((name) => [name, [kept(old[name]), kept(now[name])]]));
}

const named = z.object({ id: z.int().positive() });
const invited = z.object({ invitation: named });

const ofChat = z.object({ session_id: z.string() });

async function idIn(
  { db, site }: SiteContext,
  subject: AuditSubject,
  value: unknown,
): Promise<number | null> {
  if (!TABLES[subject]?.isChat)
    return named.safeParse(value).data?.id ?? invited.safeParse(value).data?.invitation.id ?? null;
  const sessionId = ofChat.safeParse(value).data?.session_id;
  if (sessionId === undefined) return null;
  const { rows } = await sql<{ id: number }>`
    select id from conversations where site_id = ${site.id} and session_id = ${sessionId}`.execute(db);
  return rows[0]?.id ?? null;
}

export interface Audited {
  subject: AuditSubject;
  /** The operation's name. */
  action: string;
  /** Names the record by its `id`, if it exists already. */
  input?: unknown;
}

/**
 * Runs `work` in a transaction and records it in the audit log there: who, from where, on which record, and which
 * fields changed. No change is committed without its entry. If only values could have changed and none did, nothing
 * is recorded.
 */
export function audited<T>(
  ctx: SiteContext,
  { subject, action, input }: Audited,
  work: (tx: SiteContext) => Promise<T>,
): Promise<T> {
  return ctx.transaction(async (tx) => {
    const known = subject === 'site' ? tx.site.id : await idIn(tx, subject, input);
    const before = await recordNow(tx, subject, known);
    const output = await work(tx);
    const id = known ?? (await idIn(tx, subject, output));
    const after = await recordNow(tx, subject, id);
    const changes = changesBetween(before, after);
    const onlyValues = before !== null && after !== null && action.endsWith('.update');
    if (onlyValues && Object.keys(changes).length === 0) return output;
    const label = (after ?? before)?.label ?? null;
    await tx.emit({ audit: { subject, subjectId: id, action, label, changes } });
    return output;
  });
}
