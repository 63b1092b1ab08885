-- outside a transaction
create index concurrently if not exists api_tokens_expiry_notice on api_tokens (expiry_notice_at)
  where expiry_notice_at is not null;
