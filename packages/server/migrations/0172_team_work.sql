alter table conversations
  add column team_id bigint,
  add constraint conversations_team foreign key (site_id, team_id) references teams (site_id, id) not valid;
alter table tickets
  add column team_id bigint,
  add constraint tickets_team foreign key (site_id, team_id) references teams (site_id, id) not valid;
