-- What an agent does to many chats and tickets of the inbox at once. What is chosen is written down when it begins, so
-- that what comes to match later is left alone, and a restart goes on where it stopped.
create table bulk_changes (
  site_id bigint not null references sites (id) on delete cascade,
  id bigint generated always as identity,
  agent_id bigint not null,
  -- Null: it takes another one back.
  change jsonb,
  undoes_id bigint,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (site_id, id),
  foreign key (site_id, agent_id) references agents (site_id, id) on delete cascade,
  foreign key (site_id, undoes_id) references bulk_changes (site_id, id) on delete cascade,
  check ((change is null) <> (undoes_id is null))
);
-- One is taken back once.
create unique index bulk_changes_undone on bulk_changes (site_id, undoes_id) where undoes_id is not null;
create index bulk_changes_old on bulk_changes (created_at);

create table bulk_change_items (
  site_id bigint not null,
  bulk_change_id bigint not null,
  position int not null,
  -- No foreign keys: what became of a ticket is told also when that is that it was deleted.
  ticket_id bigint,
  conversation_id bigint,
  done_at timestamptz,
  -- Of what failed.
  code text,
  message text,
  reason text,
  reason_values jsonb,
  -- How to take it back; null where it can't be.
  undo jsonb,
  primary key (site_id, bulk_change_id, position),
  foreign key (site_id, bulk_change_id) references bulk_changes (site_id, id) on delete cascade,
  check (num_nonnulls(ticket_id, conversation_id) = 1)
);
create index bulk_change_items_left on bulk_change_items (site_id, bulk_change_id, position) where done_at is null;
