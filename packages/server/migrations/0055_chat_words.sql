-- What was said in chats, messages and notes, by its words: found by the inbox's search, written behind the messages
-- (conversations/follow-words.ts), so that no message waits for it.
create table chat_words (
  site_id bigint not null,
  conversation_id bigint not null,
  -- A chat's words stand in stretches of so many entries (conversations/chat-words.ts): only the last is ever written anew.
  part integer not null,
  -- The last message and the last note that are in it, and how many of both.
  last_seq integer not null,
  last_note_id bigint not null,
  entries integer not null,
  -- When the last of them was said.
  said_at timestamptz(3) not null,
  -- Each with the site before it, as in ticket_words.
  words tsvector not null,
  primary key (site_id, conversation_id, part),
  foreign key (site_id, conversation_id) references conversations (site_id, id) on delete cascade
);
create index chat_words_newest on chat_words (site_id, said_at, conversation_id, part);
-- What waits to be sorted in is read by every search: little of it may wait (kB).
create index chat_words_search on chat_words using gin (words) with (gin_pending_list_limit = 256);

-- How far a site's chats are read. Locked by whoever reads on.
create table chat_word_sites (
  site_id bigint primary key references sites (id) on delete cascade,
  -- All messages and notes up to these are in chat_words.
  message_id bigint not null default 0,
  note_id bigint not null default 0,
  -- Ids are not committed in their order: all up to these are settled once no transaction below the number goes on.
  settling_xid xid8,
  settling_message_id bigint not null default 0,
  settling_note_id bigint not null default 0,
  -- Chats with lower ids wait to be read as a whole, the newest first; null: none. They are older than these tables, or
  -- came with an archive.
  chats_below bigint
);
create index chat_word_sites_behind on chat_word_sites (site_id) where chats_below is not null;

-- The order in which messages are read on. Its end is all that a message writes to.
create index messages_by_id on messages (site_id, id);

insert into chat_word_sites (site_id, message_id, note_id, chats_below)
  select s.id,
    coalesce((select max(m.id) from messages m where m.site_id = s.id), 0),
    coalesce((select max(n.id) from notes n where n.site_id = s.id), 0),
    (select max(c.id) + 1 from conversations c where c.site_id = s.id)
  from sites s;
