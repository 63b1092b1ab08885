-- outside a transaction
create index concurrently if not exists received_mails_conversation on received_mails (site_id, conversation_id, id) where conversation_id is not null;
create index concurrently if not exists mail_attempts_chat_mail on mail_attempts (site_id, chat_mail_id, id) where chat_mail_id is not null;
create index concurrently if not exists mail_attempts_conversation on mail_attempts (site_id, conversation_id, id) where conversation_id is not null;
create index concurrently if not exists sites_chat_mailbox on sites (id, chat_mailbox_id) where chat_mailbox_id is not null;
