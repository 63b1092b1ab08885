-- What is removed from visitors' and customers' words before they are stored.
alter table sites add column redaction jsonb not null default '{"kinds": [], "patterns": []}';
