-- How long each kind of data is kept, in days; null: for ever (retention/).
alter table sites rename column webhook_log_days to keep_webhook_log_days;
alter table sites
  drop constraint sites_webhook_log_days_check,
  add constraint sites_keep_webhook_log check (keep_webhook_log_days between 1 and 365),
  add column keep_chats_days integer check (keep_chats_days between 1 and 3660),
  add column keep_tickets_days integer check (keep_tickets_days between 1 and 3660),
  add column keep_anonymous_visitors_days integer check (keep_anonymous_visitors_days between 1 and 3660),
  add column keep_known_visitors_days integer check (keep_known_visitors_days between 1 and 3660),
  add column keep_events_days integer check (keep_events_days between 1 and 3660),
  add column keep_files_days integer check (keep_files_days between 1 and 3660),
  add column keep_audit_log_days integer check (keep_audit_log_days between 1 and 3660);
-- Rather some days longer than was chosen than one day less.
update sites set keep_audit_log_days = audit_log_months / 12 * 366 + audit_log_months % 12 * 31
  where audit_log_months is not null;
alter table sites drop column audit_log_months;

-- What the clock did last of each kind.
create table retention_runs (
  site_id bigint not null references sites (id) on delete cascade,
  kind text not null,
  due_at timestamptz not null,
  -- Of the run that is under way; null between runs.
  began_at timestamptz,
  ended_at timestamptz,
  -- Of the last run that had something to delete.
  deleted integer not null default 0,
  deleted_at timestamptz,
  -- A kind that no index has by age is walked by its ids: so far has the run come.
  through_id bigint not null default 0,
  primary key (site_id, kind)
);

-- What is old, of each kind.
create index conversations_age on conversations (site_id, ended_at) where status = 'closed';
create index attachments_age on attachments (site_id, created_at);
create index audit_entries_age on audit_entries (site_id, created_at) where subject <> 'ticket';
drop index deleted_articles_age;
create index deleted_articles_age on deleted_articles (site_id, deleted_at);
-- Whatever points at a row that goes is looked for.
create index conversations_previous on conversations (site_id, previous_id) where previous_id is not null;
create index set_questions_chat on set_questions (site_id, conversation_id) where conversation_id is not null;
create index visitors_folded on visitors (site_id, folded_into_id) where folded_into_id is not null;
