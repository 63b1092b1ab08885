-- What was brought in is older than its number says: a search that goes by numbers asks for the last of it.
create index tickets_imported on tickets (site_id, id) where imported_at is not null;
