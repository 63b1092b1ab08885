-- outside a transaction
create index concurrently if not exists rules_disabled_notice on rules (disabled_notice_due_at) where disabled_notice_due_at is not null;
