alter table blocked_senders validate constraint blocked_senders_kind;
alter table conversations validate constraint conversations_spam_reason;
alter table tickets validate constraint tickets_spam_reason;
