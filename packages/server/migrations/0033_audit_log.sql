-- The audit log of everything that owners and agents change: from where, and what it was called then.

alter table audit_entries
  add column address text,
  add column label text,
  alter column subject_id drop not null;

-- Tickets have a history of their own, which is read by ticket; the log shows all else.
create index audit_entries_log on audit_entries (site_id, created_at desc, id desc) where subject <> 'ticket';
create index audit_entries_log_subject on audit_entries (site_id, subject, created_at desc, id desc)
  where subject <> 'ticket';
create index audit_entries_log_agent on audit_entries (site_id, actor_id, created_at desc, id desc)
  where subject <> 'ticket' and actor_kind = 'agent';
