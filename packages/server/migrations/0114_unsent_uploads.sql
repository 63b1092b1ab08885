-- outside a transaction
create index concurrently if not exists attachments_unclaimed on attachments (created_at)
  where reply_id is null and conversation_id is null and mail_id is null;
