-- Reports list the chats of a day.
create index conversations_started on conversations (site_id, started_at, id);
