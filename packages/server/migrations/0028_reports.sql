-- Reports are read from sums by the day, never from chats and tickets. What each record has added to them is kept, so that
-- it can be counted anew after every change, however late, and by whichever process.

-- Records to be counted anew: written in the transaction of their change (events.ts), taken away by who has counted.
create table report_marks (
  site_id bigint not null references sites (id) on delete cascade,
  id bigint generated always as identity,
  -- A chat's session_id, or a ticket's id.
  record text not null,
  primary key (site_id, id)
);

-- Locked by whoever counts a site.
create table report_sites (
  site_id bigint primary key references sites (id) on delete cascade,
  -- Whose days the sums are by.
  time_zone text not null,
  -- Records with lower ids wait to be counted, the newest first; null: none. They are older than these tables, or were
  -- counted by the days of another time zone.
  chats_below bigint,
  tickets_below bigint,
  counted_at timestamptz
);
create index report_sites_behind on report_sites (site_id) where chats_below is not null or tickets_below is not null;

-- What a record has added to report_days: a list of [measure, day, subject, bucket, count, total].
create table report_counted (
  site_id bigint not null references sites (id) on delete cascade,
  record text not null,
  counts jsonb not null,
  primary key (site_id, record)
) with (fillfactor = 70);

create table report_days (
  site_id bigint not null references sites (id) on delete cascade,
  -- As reports/measures.ts has them.
  measure text not null,
  day date not null,
  -- A state, a reason, an agent's or a tag's id; empty where there is none.
  subject text not null,
  -- The hour of the day, a step of a length of time, a rating; 0 where there is none.
  bucket smallint not null,
  count bigint not null,
  total bigint not null,
  primary key (site_id, measure, day, subject, bucket)
) with (fillfactor = 70);

insert into report_sites (site_id, time_zone, chats_below, tickets_below)
  select s.id, coalesce(s.office_hours ->> 'time_zone', 'UTC'),
    (select max(c.id) + 1 from conversations c where c.site_id = s.id),
    (select max(t.id) + 1 from tickets t where t.site_id = s.id)
  from sites s;

-- What visitors wrote with their ratings, by rating, in the order of time.
create index feedback_rating on feedback (site_id, rating, created_at, id);
