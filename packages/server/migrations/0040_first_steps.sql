-- Where the install snippet has run, by the pages' origin: evidence for the first steps. The newest few of each site.
create table snippet_sightings (
  site_id bigint not null references sites (id),
  origin text not null,
  -- Without its query; null while only the launcher was loaded.
  page_url text,
  seen_at timestamptz not null,
  primary key (site_id, origin)
);

-- What Foyer brought along to try things with. The team's own is never here; what was edited since is told by its history.
create table sample_records (
  site_id bigint not null references sites (id),
  kind text not null check (kind in ('article', 'category', 'starter', 'visitor', 'chat')),
  record_id bigint not null,
  made_at timestamptz not null,
  primary key (site_id, kind, record_id)
);

-- When this agent put the list of first steps away; null while it may be shown.
alter table agents add column first_steps_put_away_at timestamptz;
