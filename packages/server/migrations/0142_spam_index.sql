-- outside a transaction
create index concurrently if not exists conversations_spam_age on conversations (site_id, spam_at, id) where spam_at is not null;
create index concurrently if not exists tickets_spam_age on tickets (site_id, spam_at, id) where spam_at is not null;
create index concurrently if not exists conversations_spam_agent on conversations (site_id, spam_by) where spam_by is not null;
create index concurrently if not exists tickets_spam_agent on tickets (site_id, spam_by) where spam_by is not null;
