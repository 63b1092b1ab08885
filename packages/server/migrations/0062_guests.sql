-- What a browser has said of its visitor itself: all that an unproven visitor is ever told again.
alter table visitor_devices
  add column told jsonb not null default '{}',
  add column introduced_at timestamptz;

-- A guest has greeted and said nothing, and has no visitor yet. Its open page holds what the visitor would be made of,
-- and goes when it is left.
alter table visitor_pages
  alter column visitor_id drop not null,
  alter column device_id drop not null,
  add column guest_key text,
  add column guest_token bytea,
  add column guest_browser jsonb,
  add check ((visitor_id is null) = (guest_key is not null)),
  add check ((device_id is null) = (guest_token is not null));
create index visitor_pages_guest on visitor_pages (site_id, guest_token) where guest_token is not null;
create index visitor_pages_guest_key on visitor_pages (site_id, guest_key) where guest_key is not null;

-- How much of a site's room is taken by files that no message came for yet.
create index attachments_unsent_of_site on attachments (site_id) include (size)
  where device_id is not null and reply_id is null and conversation_id is null;
