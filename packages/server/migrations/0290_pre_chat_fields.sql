-- A visitor's answers about their next chat, by the keys of its custom fields.
alter table visitor_devices add column pre_chat_fields json;
