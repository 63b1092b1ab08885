-- A mention is of an agent or of a team, whose members find it in their queues. The mention of a deleted team has
-- neither, and stays in those queues.
alter table mentions
  alter column agent_id drop not null,
  add column team_id bigint,
  add constraint mentions_team foreign key (site_id, team_id) references teams (site_id, id)
    on delete set null (team_id) not valid;
