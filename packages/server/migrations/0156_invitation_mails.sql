-- An invitation's link by email: when it was queued, and when it was sent or refused for good. Null: only the admin has
-- the link.
alter table invitations
  add column mail_queued_at timestamptz(3),
  add column mailed_at timestamptz(3),
  add column mail_failed_at timestamptz(3);
