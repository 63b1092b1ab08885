-- Mails that will never arrive, for admins to read: the newest of each site, without anybody's address.
create table mail_failures (
  site_id bigint not null references sites (id) on delete cascade,
  id bigint generated always as identity,
  kind text not null,
  error text not null check (char_length(error) <= 500),
  happened_at timestamptz not null,
  primary key (site_id, id)
);
