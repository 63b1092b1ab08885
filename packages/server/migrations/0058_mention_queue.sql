-- Where an agent was named last, once for each chat and ticket: the queue is read in the order of mentions, and no
-- further than a page, however many of them are of what is done by now.
create table mention_queue (
  site_id bigint not null,
  mention_id bigint not null,
  agent_id bigint not null,
  conversation_id bigint,
  ticket_id bigint,
  is_open boolean not null,
  primary key (site_id, mention_id),
  check ((conversation_id is null) <> (ticket_id is null)),
  constraint mention_queue_once unique nulls not distinct (site_id, agent_id, conversation_id, ticket_id),
  foreign key (site_id, mention_id) references mentions (site_id, id) on delete cascade,
  foreign key (site_id, agent_id) references agents (site_id, id) on delete cascade,
  foreign key (site_id, conversation_id) references conversations (site_id, id) on delete cascade,
  foreign key (site_id, ticket_id) references tickets (site_id, id) on delete cascade
);
create index mention_queue_open on mention_queue (site_id, agent_id, mention_id) where is_open;
create index mention_queue_chat on mention_queue (site_id, conversation_id) where conversation_id is not null;
create index mention_queue_ticket on mention_queue (site_id, ticket_id) where ticket_id is not null;

insert into mention_queue (site_id, mention_id, agent_id, conversation_id, is_open)
select m.site_id, max(m.id), m.agent_id, c.id, c.status <> 'closed'
from mentions m
join notes n on n.site_id = m.site_id and n.id = m.note_id
join conversations c on c.site_id = n.site_id and c.id = n.conversation_id
group by m.site_id, m.agent_id, c.id, c.status;

insert into mention_queue (site_id, mention_id, agent_id, ticket_id, is_open)
select m.site_id, max(m.id), m.agent_id, t.id, not t.snoozed and t.status in ('new', 'open', 'pending', 'hold')
from mentions m
join ticket_replies r on r.site_id = m.site_id and r.id = m.reply_id
join tickets t on t.site_id = r.site_id and t.id = r.ticket_id
group by m.site_id, m.agent_id, t.id, t.snoozed, t.status;

-- Whatever ends, solves, snoozes, wakes or opens again, one or many: the queue goes with it.
create or replace function follow_chat_in_mention_queue() returns trigger language plpgsql as $$
begin
  update mention_queue set is_open = new.status <> 'closed'
  where site_id = new.site_id and conversation_id = new.id;
  return null;
end
$$;
create trigger conversations_mention_queue after update of status on conversations
  for each row when ((old.status = 'closed') <> (new.status = 'closed'))
  execute function follow_chat_in_mention_queue();

create or replace function follow_ticket_in_mention_queue() returns trigger language plpgsql as $$
begin
  update mention_queue set is_open = not new.snoozed and new.status in ('new', 'open', 'pending', 'hold')
  where site_id = new.site_id and ticket_id = new.id;
  return null;
end
$$;
create trigger tickets_mention_queue after update of status, snoozed_until on tickets
  for each row when (old.status <> new.status or old.snoozed <> new.snoozed)
  execute function follow_ticket_in_mention_queue();
