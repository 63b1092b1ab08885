-- outside a transaction
create unique index concurrently if not exists macros_name_visible
  on macros (site_id, lower(name), coalesce(owner_id, 0), coalesce(team_id, 0));
create index concurrently if not exists macros_of_owner on macros (site_id, owner_id) where owner_id is not null;
create index concurrently if not exists macros_of_team on macros (site_id, team_id) where team_id is not null;
create index concurrently if not exists saved_views_of_team on saved_views (site_id, team_id) where team_id is not null;
