-- How often a macro helped, and when last.
alter table macros add column uses bigint not null default 0, add column last_used_at timestamptz(3);

-- A tag's chats: to count them, to give them another tag, and to delete a tag without reading every chat's.
create index conversation_tags_tag on conversation_tags (site_id, tag_id, conversation_id);
