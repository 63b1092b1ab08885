-- A push service that refuses what we send refuses the next one too, until the browser registers again.
alter table push_devices add column refused_at timestamptz;
