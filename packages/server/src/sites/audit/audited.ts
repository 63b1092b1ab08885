import { AUDITED_TEXT_MAX, type AuditSubject, CHOSEN_RETENTION_KINDS } from '@foyer/protocol';
import { sql } from 'kysely';
import { z } from 'zod';
import type { SiteContext } from '../../core/context.ts';

/** Where the records of a subject stand, and what of them may be repeated in the log: never a secret. */
interface AuditedTable {
  table: string;
  /** What people call a record. */
  label?: string;
  columns: readonly string[];
}

const LOOK = ['color', 'position', 'theme', 'launcher_text', 'language', 'languages', 'greeting', 'sound'];
const DOOR = [
  'pre_chat',
  'allowed_origins',
  'email_offer_after_s',
  'consent',
  'live_visitors',
  'office_hours',
  'logo',
  'typing_preview',
];
const KEPT = CHOSEN_RETENTION_KINDS.map((kind) => `keep_${kind}_days`);
const DESK = ['signature', 'routing', 'return_chats_after_s', 'two_factor_required_at'];
const FILES = ['upload_max_bytes', 'upload_max_files', 'upload_kinds'];
const BOT = ['bot_name', 'bot_off_at', 'bot_tone', 'bot_rules', 'synonyms'];
const MODEL = ['model_answers_per_chat', 'model_answers_per_day'];
const HELP = ['help_slug', 'help_title', 'help_intro', 'help_enabled', 'help_indexed'];
/** Of the secret that proves identities, its last letters and its age tell that it is another one. */
const IDENTITY = ['identity_secret_hint', 'identity_secret_made_at'];

/** A subject without a table is something that happens, with nothing of it to compare. */
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
  agent: { table: 'agents', label: 'name', columns: ['role', 'chat_limit', 'picture', 'removed_at'] },
  invitation: { table: 'invitations', label: 'email', columns: ['role', 'revoked_at'] },
  api_token: {
    table: 'api_tokens',
    label: 'name',
    columns: ['hint', 'can_write', 'browser_origins', 'revoked_at'],
  },
  // The address may hold a key of the receiver's.
  webhook_subscription: {
    table: 'webhook_subscriptions',
    label: 'description',
    columns: ['events', 'description', 'secret_hint', 'disabled_at'],
  },
  segment: { table: 'segments', label: 'name', columns: ['name', 'rule'] },
  macro: { table: 'macros', label: 'name', columns: ['name', 'actions'] },
  saved_view: { table: 'saved_views', label: 'name', columns: ['name', 'filter', 'sort', 'position'] },
  tag: { table: 'tags', label: 'name', columns: ['name', 'color'] },
  conversation_starter: {
    table: 'conversation_starters',
    label: 'label',
    columns: ['label', 'prompt', 'position'],
  },
  category: { table: 'categories', label: 'name', columns: ['name', 'position'] },
  handoff_rule: {
    table: 'handoff_rules',
    label: 'name',
    columns: ['name', 'words', 'pages', 'segment_ids', 'hours', 'disabled_at'],
  },
};

interface RecordNow {
  label: string | null;
  fields: Record<string, unknown>;
}

async function recordNow(
  { db, site }: SiteContext,
  subject: AuditSubject,
  id: number | null,
): Promise<RecordNow | null> {
  const place = TABLES[subject];
  if (!place || id === null) return null;
  const { table, label, columns } = place;
  const isSite = subject === 'site';
  const { rows } = await sql<RecordNow>`
    select ${label === undefined ? sql`null` : sql.ref(`r.${label}`)} as label,
      (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(r)) where key = any (${columns})) as fields
    from ${sql.table(table)} r
    where ${isSite ? sql`r.id = ${site.id}` : sql`r.site_id = ${site.id} and r.id = ${id}`}`.execute(db);
  return rows[0] ?? null;
}

/** A value as the log keeps it: of a long one only that it was long. */
function kept(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return text.length <= AUDITED_TEXT_MAX ? (value ?? null) : `${text.slice(0, AUDITED_TEXT_MAX)}…`;
}

/** The fields that have other values now; what was not there has none before. */
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

function idIn(value: unknown): number | null {
  return named.safeParse(value).data?.id ?? invited.safeParse(value).data?.invitation.id ?? null;
}

export interface Audited {
  subject: AuditSubject;
  /** The operation's name. */
  action: string;
  /** Names the record by its `id`, where there is one already. */
  input?: unknown;
}

/**
 * Runs `work` in a transaction and tells the audit log of it there: who, from where, on which record, and what of it
 * has other values now. There is no change without its entry. What leaves everything as it was is not told, where
 * values are all that could have changed.
 */
export function audited<T>(
  ctx: SiteContext,
  { subject, action, input }: Audited,
  work: (tx: SiteContext) => Promise<T>,
): Promise<T> {
  return ctx.transaction(async (tx) => {
    const known = subject === 'site' ? tx.site.id : idIn(input);
    const before = await recordNow(tx, subject, known);
    const output = await work(tx);
    const id = known ?? idIn(output);
    const after = await recordNow(tx, subject, id);
    const changes = changesBetween(before, after);
    const onlyValues = before !== null && after !== null && action.endsWith('.update');
    if (onlyValues && Object.keys(changes).length === 0) return output;
    const label = (after ?? before)?.label ?? null;
    await tx.emit({ audit: { subject, subjectId: id, action, label, changes } });
    return output;
  });
}
