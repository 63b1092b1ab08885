alter table sites
  -- Since when another program answers instead of the built-in bot; null: it doesn't.
  add column own_bot_since timestamptz,
  -- How long it may take before a person is called.
  add column own_bot_timeout_s integer not null default 30,
  add constraint sites_own_bot_timeout check (own_bot_timeout_s between 5 and 600) not valid;

alter table conversations
  -- The newest message that the site's own bot was asked about.
  add column bot_asked_seq integer not null default 0,
  -- By when it must have answered; null: it owes nothing.
  add column bot_due_at timestamptz;
