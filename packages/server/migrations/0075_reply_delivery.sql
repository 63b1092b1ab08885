-- A reply that no mail takes is read in the chat that its ticket came from. What the mail server said is for the team.
alter table ticket_replies add column mail_error text check (char_length(mail_error) <= 500),
  drop constraint ticket_replies_mail_state_check,
  add constraint ticket_replies_mail_state_check
    check (mail_state in ('not_sent', 'in_chat', 'queued', 'sent', 'refused', 'failed'));
