-- Blocked senders become one of several kinds of blocks. A value of another kind is in "sender" behind its kind
-- ("country:de"), which is no address or domain, so older versions, which know none but these, find nothing in it.
alter table blocked_senders
  add column kind text not null default 'email',
  add column note text,
  -- Null: never.
  add column expires_at timestamptz(3),
  add column hits bigint not null default 0,
  add column last_hit_at timestamptz(3),
  add constraint blocked_senders_kind check (kind in ('email', 'address', 'country', 'phrase')) not valid;

-- A chat or ticket whose sender is blocked.
alter table conversations
  drop constraint conversations_spam_reason,
  add constraint conversations_spam_reason check (spam_reason in ('team', 'phrase', 'blocked')) not valid;
alter table tickets
  drop constraint tickets_spam_reason,
  add constraint tickets_spam_reason check (spam_reason in ('team', 'phrase', 'blocked')) not valid;
