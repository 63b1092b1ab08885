-- Manual: agents take tickets themselves, as before.
alter table sites
  add column ticket_routing text not null default 'manual',
  add constraint sites_ticket_routing check (ticket_routing in ('manual', 'round_robin', 'least_busy')) not valid,
  -- Null: a ticket waits for its team or a skill however long that takes.
  add column ticket_fallback_after_s integer default 86400;
-- Null: as the site does.
alter table teams
  add column ticket_routing text,
  add constraint teams_ticket_routing check (ticket_routing in ('manual', 'round_robin', 'least_busy')) not valid;
alter table agents
  add column ticket_limit smallint not null default 20,
  add column last_ticket_routed_at timestamptz;
