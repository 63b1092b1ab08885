-- Null: a chat waits for its team however long that takes.
alter table sites
  add column team_fallback_after_s integer default 600;
