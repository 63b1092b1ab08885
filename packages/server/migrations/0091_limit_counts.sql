-- Attempts to guess passwords, codes and links are counted for all processes, and over restarts. The key is a keyed
-- hash: neither an address nor an account can be read from it.
create table limit_counts (
  key text primary key,
  used bigint not null,
  ends_at timestamptz not null
);
create index limit_counts_ended on limit_counts (ends_at);
