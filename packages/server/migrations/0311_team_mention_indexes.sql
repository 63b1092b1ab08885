-- outside a transaction
create index concurrently if not exists mentions_of_note on mentions (site_id, note_id) where note_id is not null;
create index concurrently if not exists mentions_of_team on mentions (site_id, team_id) where team_id is not null;
create unique index concurrently if not exists mention_queue_key on mention_queue (site_id, mention_id, agent_id);
