-- outside a transaction
create index concurrently if not exists received_mails_age on received_mails (site_id, received_at);
