-- What recurs finds what is due in all sites by these, however many sites have nothing due.
create index retention_runs_due on retention_runs (due_at);
-- Rows are about in the order of their times, and times change with every message: a range of pages is enough.
create index notifications_age on notifications using brin (happened_at) with (autosummarize = on);
