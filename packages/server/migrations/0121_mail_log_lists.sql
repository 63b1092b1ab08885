-- outside a transaction
create index concurrently if not exists received_mails_mailbox on received_mails (site_id, mailbox_id, id);
create index concurrently if not exists received_mails_reason on received_mails (site_id, reason, id) where reason is not null;
create index concurrently if not exists ticket_mails_sent on ticket_mails (site_id, reply_id) where is_outgoing;
create index concurrently if not exists ticket_mails_sent_mailbox on ticket_mails (site_id, mailbox_id, reply_id) where is_outgoing;
create index concurrently if not exists ticket_replies_undelivered on ticket_replies (site_id, mail_state, id)
  where mail_state in ('queued', 'refused', 'failed', 'bounced');
