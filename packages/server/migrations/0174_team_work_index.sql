-- outside a transaction
create index concurrently if not exists conversations_of_team on conversations (site_id, team_id, id desc) where team_id is not null;
create index concurrently if not exists tickets_team_status on tickets (site_id, team_id, status) where team_id is not null;
create index concurrently if not exists tickets_team_created on tickets (site_id, snoozed, team_id, created_at, id) where team_id is not null;
create index concurrently if not exists tickets_team_updated on tickets (site_id, snoozed, team_id, updated_at, id) where team_id is not null;
create index concurrently if not exists tickets_team_priority on tickets (site_id, snoozed, team_id, priority_rank, created_at, id) where team_id is not null;
