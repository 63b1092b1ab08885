-- What a list shows of a chat: the last words of a person or the bot, since when the visitor has had no answer, and
-- what the chat is about. System messages change none of it. Set by the update that takes a message's number, so no
-- index has any of these columns.
alter table conversations
  add column said_sender text,
  add column said_text text,
  add column said_at timestamptz,
  add column unanswered_since timestamptz,
  add column about text;
-- Each chat reads a few of its own messages by their index.
update conversations c set
  said_sender = said.sender,
  said_text = coalesce(nullif(said.text, ''), case when c.last_sender = said.sender then c.last_text end, '📎'),
  said_at = said.created_at,
  about = asked.text,
  unanswered_since = case
    when c.status = 'waiting' then coalesce(unanswered.since, c.waiting_since)
    when c.status <> 'closed' then unanswered.since
  end
from conversations k
left join lateral (
  select m.sender, left(m.text, 140) as text, m.created_at from messages m
  where m.site_id = k.site_id and m.conversation_id = k.id and m.sender <> 'system'
  order by m.seq desc limit 1
) said on true
left join lateral (
  select text from (
    select left(m.text, 140) as text, m.seq from messages m
    where m.site_id = k.site_id and m.conversation_id = k.id and m.sender = 'visitor' and m.text <> ''
    order by m.seq limit 20
  ) first
  order by least(length(text), 16) desc, seq limit 1
) asked on true
left join lateral (
  select min(m.created_at) as since from messages m
  where m.site_id = k.site_id and m.conversation_id = k.id and m.sender = 'visitor' and k.status <> 'closed'
    and m.seq > coalesce((
      select a.seq from messages a
      where a.site_id = k.site_id and a.conversation_id = k.id and a.sender in ('bot', 'agent')
      order by a.seq desc limit 1), 0)
) unanswered on true
where k.last_seq > 0 and c.site_id = k.site_id and c.id = k.id;

-- Activity is what was said to or by the requester; properties change without it.
alter table tickets
  add column last_activity_at timestamptz(3) not null default now(),
  add column unanswered_since timestamptz(3),
  add column replied_at timestamptz(3);
update tickets t set
  last_activity_at = greatest(k.created_at, said.at),
  replied_at = team.at,
  unanswered_since = case when k.status not in ('solved', 'closed') then
    case when team.at is null then k.created_at else asked.at end end
from tickets k
left join lateral (
  select r.created_at as at from ticket_replies r
  where r.site_id = k.site_id and r.ticket_id = k.id and r.type = 'public' order by r.id desc limit 1
) said on true
left join lateral (
  select r.id, r.created_at as at from ticket_replies r
  where r.site_id = k.site_id and r.ticket_id = k.id and r.type = 'public' and r.author_type <> 'requester'
  order by r.id desc limit 1
) team on true
left join lateral (
  select r.created_at as at from ticket_replies r
  where r.site_id = k.site_id and r.ticket_id = k.id and r.author_type = 'requester' and r.id > team.id
  order by r.id limit 1
) asked on true
where t.site_id = k.site_id and t.id = k.id;
-- Queues and searches list by these.
create index tickets_active on tickets (site_id, snoozed, last_activity_at, id);
create index tickets_status_active on tickets (site_id, snoozed, status, last_activity_at, id);
create index tickets_assignee_active on tickets (site_id, snoozed, assignee_key, status, last_activity_at, id);
