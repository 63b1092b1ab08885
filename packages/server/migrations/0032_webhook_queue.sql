-- What is still to be sent stands apart from the log: settling a delivery takes a small row away, where it rewrote the
-- log's row in all of its indexes. What is neither here nor dead is delivered.
create table webhook_queue (
  site_id bigint not null,
  delivery_id bigint not null,
  -- The delivery's own.
  subscription_id bigint not null,
  next_attempt_at timestamptz not null,
  attempts_made integer not null default 0,
  -- Attempts made before the schedule began anew, by "send again".
  attempts_before integer not null default 0,
  primary key (site_id, delivery_id),
  foreign key (site_id, delivery_id) references webhook_deliveries (site_id, id) on delete cascade
);
insert into webhook_queue (site_id, delivery_id, subscription_id, next_attempt_at, attempts_made, attempts_before)
  select site_id, id, subscription_id, next_attempt_at, attempts_made, attempts_before from webhook_deliveries
  where next_attempt_at is not null;
-- Workers step over it from subscription to subscription, however long one's backlog is.
create index webhook_queue_due on webhook_queue (site_id, subscription_id, next_attempt_at, delivery_id);

-- The check and the indexes on what is open go with their columns.
alter table webhook_deliveries drop column next_attempt_at, drop column attempts_made, drop column attempts_before,
  drop column delivered_at;

-- An attempt is only ever written together with its delivery's row of the queue being taken, which proves that there is
-- one of this site; asking again for each, and locking the log's row for it, took a third of writing it. What the key
-- deleted with a delivery this deletes: after the row of the queue, and so after whoever was taking it.
alter table webhook_attempts drop constraint webhook_attempts_site_id_delivery_id_fkey;
create or replace function delete_webhook_attempts() returns trigger language plpgsql as $$
begin
  delete from webhook_attempts a using gone where a.site_id = gone.site_id and a.delivery_id = gone.id;
  return null;
end
$$;
create trigger webhook_deliveries_attempts after delete on webhook_deliveries
  referencing old table as gone for each statement execute function delete_webhook_attempts();
