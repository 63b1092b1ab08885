-- outside a transaction
create index concurrently if not exists blocked_senders_kind on blocked_senders (site_id, kind, id);
