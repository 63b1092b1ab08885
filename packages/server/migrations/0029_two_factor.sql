-- Signing in with a code beside the password; the first two are better-auth's own.

alter table auth_users add column two_factor_enabled boolean not null default false;

create table auth_two_factors (
  id text primary key,
  user_id text not null unique references auth_users (id) on delete cascade,
  -- Both sealed by better-auth with the key of sign-in.
  secret text not null,
  backup_codes text not null,
  verified boolean not null default false,
  failed_verification_count integer not null default 0,
  locked_until timestamptz
);

-- A code is good for one sign-in, though its time has not run out: it may have been seen over a shoulder.
create table auth_used_codes (
  user_id text not null references auth_users (id) on delete cascade,
  code text not null,
  used_at timestamptz not null,
  primary key (user_id, code)
);

-- Since when an agent of the site gets in with a code only.
alter table sites add column two_factor_required_at timestamptz;

-- Where and when a session was last at work; better-auth's own column moves once a day.
alter table auth_sessions add column last_used_at timestamptz not null default now();
