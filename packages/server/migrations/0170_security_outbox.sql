-- Security events that wait to be sent to a syslog server: written in the transaction of the change, deleted once sent.
create table security_outbox (
  site_id bigint not null references sites (id) on delete cascade,
  id bigint generated always as identity,
  event jsonb not null,
  created_at timestamptz not null,
  primary key (site_id, id)
);
-- The oldest of all sites are sent first.
create index security_outbox_age on security_outbox (created_at, id);
