-- A mail whose retries ran out is neither queued nor refused.
alter table ticket_replies drop constraint ticket_replies_mail_state_check,
  add constraint ticket_replies_mail_state_check
    check (mail_state in ('not_sent', 'queued', 'sent', 'refused', 'failed'));
