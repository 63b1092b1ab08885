-- Spam is a mark beside the status: a marked chat or ticket is only in the queue Spam. Its visitor doesn't notice.
alter table conversations
  add column spam_at timestamptz(3),
  -- Null if no agent marked it: a token, or a blocked phrase.
  add column spam_by bigint,
  add column spam_reason text,
  add constraint conversations_spam
    check ((spam_at is null) = (spam_reason is null) and (spam_by is null or spam_at is not null)) not valid,
  add constraint conversations_spam_reason check (spam_reason in ('team', 'phrase')) not valid,
  add constraint conversations_spam_by foreign key (site_id, spam_by) references agents (site_id, id)
    on delete set null (spam_by) not valid;
alter table tickets
  add column spam_at timestamptz(3),
  add column spam_by bigint,
  add column spam_reason text,
  add constraint tickets_spam
    check ((spam_at is null) = (spam_reason is null) and (spam_by is null or spam_at is not null)) not valid,
  add constraint tickets_spam_reason check (spam_reason in ('team', 'phrase')) not valid,
  add constraint tickets_spam_by foreign key (site_id, spam_by) references agents (site_id, id)
    on delete set null (spam_by) not valid;

-- How long marked chats and tickets are kept.
alter table sites
  add column keep_spam_chats_days integer default 30,
  add column keep_spam_tickets_days integer default 30,
  add constraint sites_keep_spam_chats check (keep_spam_chats_days between 1 and 3660) not valid,
  add constraint sites_keep_spam_tickets check (keep_spam_tickets_days between 1 and 3660) not valid;

-- Spam leaves the mentions like everything else that isn't open.
create or replace function follow_chat_in_mention_queue() returns trigger language plpgsql as $$
begin
  update mention_queue
  set is_open = new.status <> 'closed' and new.snoozed_until is null and new.spam_at is null
  where site_id = new.site_id and conversation_id = new.id;
  return null;
end
$$;
create trigger conversations_spam_mention_queue after update of spam_at on conversations
  for each row when ((old.spam_at is null) <> (new.spam_at is null))
  execute function follow_chat_in_mention_queue();

create or replace function follow_ticket_in_mention_queue() returns trigger language plpgsql as $$
begin
  update mention_queue
  set is_open = not new.snoozed and new.spam_at is null and new.status in ('new', 'open', 'pending', 'hold')
  where site_id = new.site_id and ticket_id = new.id;
  return null;
end
$$;
create trigger tickets_spam_mention_queue after update of spam_at on tickets
  for each row when ((old.spam_at is null) <> (new.spam_at is null))
  execute function follow_ticket_in_mention_queue();
