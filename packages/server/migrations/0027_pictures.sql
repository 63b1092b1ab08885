-- Pictures that stand for somebody: a site's logo, its agents' faces.
create table pictures (
  site_id bigint not null references sites (id) on delete cascade,
  -- `<site>-<SHA-256 of the content>`: its address, so that nobody guesses one, and what is there once is kept once.
  name text not null,
  content_type text not null,
  content bytea not null,
  created_at timestamptz not null,
  primary key (site_id, name)
);
alter table sites
  add column logo text,
  add constraint sites_logo foreign key (id, logo) references pictures (site_id, name);
alter table agents
  add column picture text,
  add constraint agents_picture foreign key (site_id, picture) references pictures (site_id, name);
