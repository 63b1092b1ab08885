-- Files of mails, also of those that begin a ticket; replies that came back; how long mails are kept as received.
alter table attachments
  -- The mail that brought it. A ticket's description has no reply that its files could belong to.
  add column mail_id bigint,
  -- By which the mail's HTML refers to it.
  add column content_id text,
  drop constraint attachments_sent,
  add constraint attachments_sent
    check (reply_id is not null or upload_id is not null or mail_id is not null) not valid,
  add constraint attachments_mail foreign key (site_id, mail_id)
    references ticket_mails (site_id, id) on delete cascade not valid;
alter table ticket_replies
  drop constraint ticket_replies_mail_state_check,
  add constraint ticket_replies_mail_state_check
    check (mail_state in ('not_sent', 'in_chat', 'queued', 'sent', 'refused', 'failed', 'bounced')) not valid;
alter table received_mails
  -- An agent has decided that it is no spam: it is processed whatever it looks like.
  add column accepted_at timestamptz(3);
alter table sites
  add column keep_mail_sources_days integer default 30,
  add column keep_mail_log_days integer default 365,
  add constraint sites_keep_mail_sources_days_check check (keep_mail_sources_days between 1 and 3660) not valid,
  add constraint sites_keep_mail_log_days_check check (keep_mail_log_days between 1 and 3660) not valid;
