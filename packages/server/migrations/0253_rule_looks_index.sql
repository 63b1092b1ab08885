-- outside a transaction
create index concurrently if not exists rules_look on rules (look_at) where look_at is not null;
