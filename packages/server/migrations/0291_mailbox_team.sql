-- The team that new tickets of a mailbox belong to.
alter table mailboxes
  add column team_id bigint,
  add constraint mailboxes_team foreign key (site_id, team_id) references teams (site_id, id)
    on delete set null (team_id) not valid;
