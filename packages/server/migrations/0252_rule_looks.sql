-- Of rules that time triggers: until when everything due was found, and when there is something due next.
alter table rules
  add column looked_at timestamptz(3),
  add column look_at timestamptz(3);
