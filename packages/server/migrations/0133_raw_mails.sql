-- Files in a mail don't get smaller, and trying takes longer than storing them.
alter table received_mails alter column raw set storage external;
