-- outside a transaction
create index concurrently if not exists conversations_bot_due on conversations (bot_due_at) where bot_due_at is not null;
