-- What became of the mail of a public reply by the team. Null for notes, for the requester's replies, and for replies
-- written before this column.
alter table ticket_replies add column mail_state text
  check (mail_state in ('not_sent', 'queued', 'sent', 'refused'));
