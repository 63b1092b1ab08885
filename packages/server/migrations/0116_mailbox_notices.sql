-- When admins were notified that a mailbox fails.
alter table mailboxes add column failing_noticed_at timestamptz(3);
-- Such a notification is about neither a chat nor a ticket.
alter table notifications
  drop constraint notifications_check,
  add constraint notifications_subject
    check (num_nonnulls(conversation_id, ticket_id) = case when kind = 'mailbox_failing' then 0 else 1 end) not valid;
