alter table agents
  -- What the agent has chosen to be while the desk is open; remembered.
  add column presence text not null default 'online' check (presence in ('online', 'away', 'invisible')),
  -- Active chats up to which more are given by themselves.
  add column chat_limit integer not null default 4 check (chat_limit between 1 and 100),
  -- When the agent was last seen working, to half a minute; whoever is gone for long gives chats back.
  add column at_desk_at timestamptz not null default now(),
  add column last_routed_at timestamptz;

alter table sites
  add column routing text not null default 'manual' check (routing in ('manual', 'round_robin')),
  add column return_chats_after_s integer not null default 600 check (return_chats_after_s between 60 and 86400);

-- Who waits, the longest first; holds no column that a message changes.
create index conversations_waiting on conversations (site_id, waiting_since, id) where status = 'waiting';
