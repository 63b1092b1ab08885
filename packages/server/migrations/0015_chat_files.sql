-- What visitors may send along. The bounds of the bounds are the protocol's.
alter table sites
  add column upload_max_bytes integer not null default 10485760 check (upload_max_bytes between 1024 and 26214400),
  add column upload_max_files smallint not null default 5 check (upload_max_files between 1 and 10),
  add column upload_kinds text[] not null default '{image,document,media}';

-- A file belongs to a reply or to a message of a chat, or waits for its message, by the id that its sender has made.
alter table attachments
  alter column reply_id drop not null,
  add column conversation_id bigint,
  add column message_seq integer,
  -- Among the files of its message.
  add column position smallint,
  add column upload_id uuid,
  -- Who sent it up: a visitor's browser or an agent.
  add column device_id bigint,
  add column agent_id bigint,
  -- Of a picture that the server has drawn anew, and of nothing else: such may show in a page.
  add column width integer,
  add column height integer,
  add foreign key (site_id) references sites (id) on delete cascade,
  add foreign key (site_id, conversation_id, message_seq) references messages (site_id, conversation_id, seq)
    on delete cascade,
  add foreign key (site_id, device_id) references visitor_devices (site_id, id) on delete set null (device_id),
  add foreign key (site_id, agent_id) references agents (site_id, id),
  add check ((reply_id is null) = (upload_id is not null)),
  add check (reply_id is null or conversation_id is null),
  add check ((conversation_id is null) = (message_seq is null)),
  add check ((width is null) = (height is null)),
  add check (device_id is null or agent_id is null),
  add constraint attachments_of_device unique (site_id, device_id, upload_id),
  add constraint attachments_of_agent unique (site_id, agent_id, upload_id);
create index attachments_message on attachments (site_id, conversation_id, message_seq, id)
  where conversation_id is not null;
-- What no message came for, of all sites.
create index attachments_unsent on attachments (created_at) where reply_id is null and conversation_id is null;
