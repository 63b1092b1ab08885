-- Whether a mail's HTML has formatting that its text lacks: the desk shows it first then.
alter table ticket_mails add column is_rich boolean not null default false;
