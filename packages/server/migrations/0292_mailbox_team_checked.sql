alter table mailboxes validate constraint mailboxes_team;
