-- outside a transaction
create index concurrently if not exists tickets_mailbox on tickets (site_id, mailbox_id) where mailbox_id is not null;
