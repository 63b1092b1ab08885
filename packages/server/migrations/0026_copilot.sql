-- How often an agent had a language model write for them on a day (UTC): what bounds it.
create table copilot_days (
  site_id bigint not null,
  agent_id bigint not null,
  day date not null,
  uses integer not null,
  primary key (site_id, agent_id, day),
  foreign key (site_id, agent_id) references agents (site_id, id) on delete cascade
);
