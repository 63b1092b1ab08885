-- A snoozed chat is in no queue but Snoozed until then. Only one that is with people can be: the bot's and closed ones
-- are in nobody's way.
alter table conversations
  add column snoozed_until timestamptz(3),
  add check (snoozed_until is null or status in ('waiting', 'active'));
-- What the clock looks for, of all sites, and a site's list by when each comes back.
create index conversations_wake on conversations (snoozed_until) where snoozed_until is not null;
create index conversations_due on conversations (site_id, snoozed_until, id) where snoozed_until is not null;
-- Routing looks for who waits, and counts what an agent has, every second: without what is put aside.
drop index conversations_waiting;
create index conversations_waiting on conversations (site_id, waiting_since, id)
  where status = 'waiting' and snoozed_until is null;
drop index conversations_agent;
create index conversations_agent on conversations (site_id, agent_id, id desc)
  where status = 'active' and snoozed_until is null;

create or replace function follow_chat_in_mention_queue() returns trigger language plpgsql as $$
begin
  update mention_queue set is_open = new.status <> 'closed' and new.snoozed_until is null
  where site_id = new.site_id and conversation_id = new.id;
  return null;
end
$$;
drop trigger conversations_mention_queue on conversations;
create trigger conversations_mention_queue after update of status, snoozed_until on conversations
  for each row when (
    (old.status = 'closed') <> (new.status = 'closed') or (old.snoozed_until is null) <> (new.snoozed_until is null))
  execute function follow_chat_in_mention_queue();
