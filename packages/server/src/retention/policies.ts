import { DELETED_ARTICLES_KEPT_DAYS, RETENTION_KINDS, type RetentionKind } from '@foyer/protocol';
import { type RawBuilder, sql } from 'kysely';
import { oldCalls } from '../actions/old-calls.ts';
import { oldFiles } from '../attachments/old-files.ts';
import { oldChats, oldSpamChats } from '../conversations/old-chats.ts';
import type { RetentionPolicy } from '../core/retention-policy.ts';
import { oldMailLog, oldMailSources } from '../email/log/old-mails.ts';
import { oldDeletedArticles } from '../knowledge/articles/deleted-articles.ts';
import { oldAudit } from '../sites/audit/old-audit.ts';
import { oldSpamTickets, oldTickets } from '../tickets/old-tickets.ts';
import { oldEvents, oldPages } from '../visitors/events/old-events.ts';
import { oldAnonymousVisitors, oldKnownVisitors } from '../visitors/old-visitors.ts';
import { oldWebhookLog } from '../webhooks/old-log.ts';

export const retentionPolicies: Record<RetentionKind, RetentionPolicy | RetentionPolicy<string>> = {
  chats: oldChats,
  tickets: oldTickets,
  spam_chats: oldSpamChats,
  spam_tickets: oldSpamTickets,
  anonymous_visitors: oldAnonymousVisitors,
  known_visitors: oldKnownVisitors,
  events: oldEvents,
  pages: oldPages,
  files: oldFiles,
  webhook_log: oldWebhookLog,
  action_log: oldCalls,
  audit_log: oldAudit,
  deleted_articles: oldDeletedArticles,
  mail_sources: oldMailSources,
  mail_log: oldMailLog,
};

/** The days that site `s` has chosen; null: keep forever. */
const daysOf = (kind: RetentionKind): RawBuilder<number | null> =>
  kind === 'deleted_articles'
    ? sql`${DELETED_ARTICLES_KEPT_DAYS}::integer`
    : sql`s.${sql.ref(daysColumn(kind))}`;

/** The column of `sites` with the kind's days. Deleted articles have none: their period is fixed. */
export const daysColumn = <K extends Exclude<RetentionKind, 'deleted_articles'>>(kind: K) =>
  `keep_${kind}_days` as const;

/** What each site `s` keeps, one row per kind: its position in RETENTION_KINDS, its name, its days. */
export const choices = sql`(values ${sql.join(
  RETENTION_KINDS.map((kind, place) => sql`(${place}::integer, ${kind}::text, ${daysOf(kind)})`),
)}) as choice (place, kind, days)`;
