-- What concerns the whole installation. The only row is written by the setup.
create table installation (
  id smallint primary key default 1 check (id = 1),
  base_url text not null
);
-- The zone of a site's days until it has office hours, which have one of their own.
alter table sites add column time_zone text not null default 'UTC';
