-- A CSV: how many of its records are done, and what became of them.
alter table imports
  add column position integer not null default 0,
  add column created_count integer not null default 0,
  add column updated_count integer not null default 0,
  add column unchanged_count integer not null default 0,
  add column failed_count integer not null default 0;

-- Records that were not taken, with why, to be mended and brought in again.
create table import_problems (
  site_id bigint not null,
  import_id bigint not null,
  line integer not null,
  cells jsonb not null,
  issues jsonb not null,
  primary key (site_id, import_id, line),
  foreign key (site_id, import_id) references imports (site_id, id) on delete cascade
);

-- Of another system: it happened before the desk was here, so no report counts it.
alter table tickets add column imported_at timestamptz;
create index tickets_external on tickets (site_id, external_id) where external_id is not null;
