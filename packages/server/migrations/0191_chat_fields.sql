-- As ticket_fields, of chats.
create table conversation_fields (
  site_id bigint not null,
  conversation_id bigint not null,
  field_id bigint not null,
  place smallint not null default 0,
  value text not null,
  number double precision,
  primary key (site_id, conversation_id, field_id, place),
  foreign key (site_id, conversation_id) references conversations (site_id, id) on delete cascade,
  foreign key (site_id, field_id) references fields (site_id, id) on delete cascade
);
create index conversation_fields_value on conversation_fields (site_id, field_id, (lower(left(value, 100)) collate "C"), conversation_id);
create index conversation_fields_number on conversation_fields (site_id, field_id, number, conversation_id) where number is not null;
