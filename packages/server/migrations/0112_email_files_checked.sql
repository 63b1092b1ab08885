alter table attachments validate constraint attachments_sent;
alter table attachments validate constraint attachments_mail;
alter table ticket_replies validate constraint ticket_replies_mail_state_check;
