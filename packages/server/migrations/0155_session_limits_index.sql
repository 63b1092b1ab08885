-- outside a transaction
create index concurrently if not exists sites_session_limits on sites (id)
  where session_idle_hours is not null or session_max_days is not null;
