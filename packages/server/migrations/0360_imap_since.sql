-- Since when mail of the folder is read: what came before its first connection stays unread if the server renumbers it.
alter table mailboxes add column imap_since timestamptz;
