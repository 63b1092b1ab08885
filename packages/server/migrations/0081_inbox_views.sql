-- Views of the inbox, over chats and tickets, beside those of tickets that REST has; and views of one agent alone.
alter table saved_views
  -- Whose it is alone; null: the team's.
  add column owner_id bigint,
  -- What `filter` and `sort` are: `ticketFilter` and `ticketSort` of the contract, or its `viewList`.
  add column kind text not null default 'tickets' check (kind in ('tickets', 'inbox')),
  -- Counts the changes of filter and sort, so that of two people who edit a view neither overwrites the other unseen.
  add column version integer not null default 1,
  add foreign key (site_id, owner_id) references agents (site_id, id) on delete cascade;
drop index saved_views_order;
create index saved_views_order on saved_views (site_id, position, id) where owner_id is null;
create index saved_views_owner on saved_views (site_id, owner_id) where owner_id is not null;
