-- Where in a log a time is: `since` begins there instead of reading all that is older.
create index handoffs_time on handoffs (site_id, created_at, id);
create index feedback_time on feedback (site_id, created_at, id);
