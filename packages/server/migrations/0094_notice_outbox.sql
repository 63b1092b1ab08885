-- What processes have to hear of a change, written in its transaction and kept for a minute. Not in the log: after a
-- crash both tables are empty, a new epoch begins, and every process loads what it shows and caches again.
create unlogged table notice_outbox (
  site_id bigint not null,
  -- The transaction: the readers' position is a snapshot, because no number is committed in order.
  tx xid8 not null default pg_current_xact_id(),
  -- The process that made the change, and its number there.
  node text not null,
  n bigint not null,
  -- Not only for the processes that follow the site.
  everyone boolean not null,
  notices jsonb not null
) with (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000
);
create index notice_outbox_by_transaction on notice_outbox (tx);

create unlogged table notice_outbox_epochs (
  only_one boolean primary key default true check (only_one),
  epoch uuid not null default gen_random_uuid()
);
