-- The orders of the inbox: who waits for an answer, and which snooze ends next.
create index tickets_unanswered on tickets (site_id, snoozed, status, unanswered_since, id)
  where unanswered_since is not null;
create index tickets_assignee_unanswered on tickets (site_id, snoozed, assignee_key, status, unanswered_since, id)
  where unanswered_since is not null;
create index tickets_due on tickets (site_id, snoozed_until, id) where snoozed_until is not null;
