-- Who sees a macro or view: its owner alone, the members of its team, or everyone if it has neither.
alter table macros
  add column owner_id bigint,
  add column team_id bigint,
  add constraint macros_owner foreign key (site_id, owner_id) references agents (site_id, id)
    on delete cascade not valid,
  add constraint macros_team foreign key (site_id, team_id) references teams (site_id, id) not valid,
  add constraint macros_visibility check (num_nonnulls(owner_id, team_id) <= 1) not valid;
alter table saved_views
  add column team_id bigint,
  add constraint saved_views_team foreign key (site_id, team_id) references teams (site_id, id) not valid,
  add constraint saved_views_visibility check (num_nonnulls(owner_id, team_id) <= 1) not valid;
