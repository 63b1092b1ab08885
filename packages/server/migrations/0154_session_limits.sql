-- After how long without use, and after how long in any case, agents have to sign in to a site again; null: never for
-- that reason.
alter table sites
  add column session_idle_hours integer check (session_idle_hours between 1 and 720),
  add column session_max_days integer check (session_max_days between 1 and 365);
