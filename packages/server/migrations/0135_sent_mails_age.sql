-- outside a transaction
create index concurrently if not exists ticket_mails_sent_age on ticket_mails (site_id, created_at)
  where is_outgoing and reply_id is not null;
