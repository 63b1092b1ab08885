-- Sites whose events are recorded for streams, although no webhook may want them.
create table stream_recordings (
  site_id bigint not null references sites (id) on delete cascade,
  -- Renewed while a stream is open; a while after the last one has ended, nothing is recorded any more.
  kept_until timestamptz not null,
  -- The first transaction of which everything was recorded: a stream can't resume before it.
  since_xid bigint not null,
  primary key (site_id)
);

create sequence stream_positions;

alter table webhook_events
  -- Where it is in the streams of its site: its transaction, and its place there. Null: it was recorded for no stream.
  add column stream_xid bigint,
  add column stream_n bigint;

-- It goes with the table, as when a backup is restored over it.
alter sequence stream_positions owned by webhook_events.stream_n;
