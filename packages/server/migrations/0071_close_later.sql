-- A chat that its agent has closed ends for its visitor a moment later, so that the agent can undo it.
alter table conversations
  add column closes_at timestamptz,
  add column closing_agent_id bigint,
  add foreign key (site_id, closing_agent_id) references agents (site_id, id) on delete set null (closing_agent_id);
-- Few rows at a time. A message leaves both columns alone, so its update stays heap-only.
create index conversations_closing on conversations (closes_at) where closes_at is not null;
