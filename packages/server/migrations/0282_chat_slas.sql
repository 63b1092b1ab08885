-- What a policy is for. Existing ones are for tickets.
alter table sla_policies
  add column applies_to jsonb not null default '["tickets"]';

-- What the team promised about a chat, beside it: messages rewrite the chat's row, and most chats have no policy.
create table chat_slas (
  site_id bigint not null,
  conversation_id bigint not null,
  -- Null: no policy applies.
  sla jsonb,
  -- When the next target is due.
  due_at timestamptz(3),
  -- When the clock has to look: something has changed, or has to be warned about or reported as missed.
  event_at timestamptz(3),
  -- When the chat last changed, until the clock has looked.
  changed_at timestamptz(3),
  -- The last message that the clock has read, and when an agent wrote last up to there.
  read_seq integer not null default 0,
  replied_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (site_id, conversation_id),
  foreign key (site_id, conversation_id) references conversations (site_id, id) on delete cascade
);
create index chat_slas_event on chat_slas (event_at) where event_at is not null;
