-- Which sites have new messages or notes, told by the end of one index instead of by a look into each site
-- (conversations/words-due.ts). Ids only grow, so a message writes to its last page.
create index messages_by_number on messages (id) include (site_id);
create index notes_by_number on notes (id) include (site_id);
