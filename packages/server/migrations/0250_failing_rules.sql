alter table rules
  -- How often in a row it has failed.
  add column failures integer not null default 0,
  -- Why Foyer switched it off; null for one that is enabled or that a person disabled.
  add column disabled_reason text,
  -- Admins have to be told.
  add column disabled_notice_due_at timestamptz(3);
