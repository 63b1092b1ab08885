-- The requester has written since somebody of the team last opened it, or somebody wants to come back to it.
alter table tickets add column unread_since timestamptz(3);
-- By hand, to come back to it. What the visitor sees as read (agent_read_seq) stays read.
alter table conversations add column marked_unread_at timestamptz(3);
