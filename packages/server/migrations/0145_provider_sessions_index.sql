-- outside a transaction
create index concurrently if not exists auth_sessions_provider on auth_sessions (site_id, provider_id)
  where provider_id is not null;
