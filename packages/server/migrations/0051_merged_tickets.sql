-- A ticket that was merged into another one goes on there: its requester's later replies do too.
alter table tickets
  add column merged_into_id bigint,
  add foreign key (site_id, merged_into_id) references tickets (site_id, id) on delete set null (merged_into_id);
create index tickets_merged on tickets (site_id, merged_into_id) where merged_into_id is not null;
