-- A worker leases a subscription's lane, not each delivery: it alone sends what is due there, four at a time, so that
-- a delivery costs no write but that of its attempt. Not on webhook_subscriptions: those rows are locked by every event.
create table webhook_lanes (
  site_id bigint not null,
  subscription_id bigint not null,
  -- A worker that dies loses its lease; another takes the lane (decisions 5).
  leased_by text,
  lease_until timestamptz,
  -- When an attempt was last begun: workers serve first who has waited longest.
  last_attempt_at timestamptz,
  -- Of the first failure since the last success; null while it works.
  failing_since timestamptz,
  primary key (site_id, subscription_id),
  foreign key (site_id, subscription_id) references webhook_subscriptions (site_id, id) on delete cascade
) with (fillfactor = 50);
create index webhook_lanes_failing on webhook_lanes (failing_since) where failing_since is not null;
insert into webhook_lanes (site_id, subscription_id, last_attempt_at)
  select site_id, id, last_delivery_at from webhook_subscriptions;
alter table webhook_subscriptions drop column last_delivery_at;
-- Disabled by Foyer itself, and the site's admins were not told yet.
alter table webhook_subscriptions add column untold_since timestamptz;
create index webhook_subscriptions_untold on webhook_subscriptions (untold_since) where untold_since is not null;

drop index webhook_deliveries_leased;
-- What comes due next is seen in the walk over the lanes.
drop index webhook_deliveries_due;
alter table webhook_deliveries drop column leased_by, drop column lease_until;
-- The log's newest that are still under way.
create index webhook_deliveries_unsettled on webhook_deliveries (site_id, id desc) where next_attempt_at is not null;

-- With what is known of the delivery these make up the headers that were sent.
alter table webhook_attempts
  add column signature text,
  add column signature_previous text,
  add column standard_signature text;

-- Attempts by the hour, written with their records: the chart reads no log.
create table webhook_hours (
  site_id bigint not null,
  subscription_id bigint not null,
  hour timestamptz not null,
  succeeded integer not null default 0,
  failed integer not null default 0,
  duration_ms bigint not null default 0,
  primary key (site_id, subscription_id, hour),
  foreign key (site_id, subscription_id) references webhook_subscriptions (site_id, id) on delete cascade
) with (fillfactor = 50);
insert into webhook_hours (site_id, subscription_id, hour, succeeded, failed, duration_ms)
  select d.site_id, d.subscription_id, date_trunc('hour', a.at, 'UTC'),
    count(*) filter (where a.error is null), count(*) filter (where a.error is not null), sum(a.duration_ms)
  from webhook_attempts a join webhook_deliveries d on d.site_id = a.site_id and d.id = a.delivery_id
  group by 1, 2, 3;

-- How long the log is kept, in days.
alter table sites add column webhook_log_days integer not null default 30 check (webhook_log_days between 1 and 365);
-- What is past that time; and where in the log a time is.
create index webhook_events_age on webhook_events (site_id, created_at);
