-- Pages are what visitors did as well, and were kept for as long as the visitor.
alter table sites add column keep_pages_days integer check (keep_pages_days between 1 and 3660);
