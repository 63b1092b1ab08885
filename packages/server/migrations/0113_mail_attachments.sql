-- outside a transaction
create index concurrently if not exists attachments_mail on attachments (site_id, mail_id, id) where mail_id is not null;
