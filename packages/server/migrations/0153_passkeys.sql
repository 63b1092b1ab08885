-- Passkeys of accounts: they sign in without a password, at all sites of the person.
create table auth_passkeys (
  id text primary key,
  user_id text not null references auth_users (id) on delete cascade,
  -- As the person calls it.
  name text not null,
  -- The authenticator's own id for it, in base64url.
  credential_id text not null unique,
  -- SubjectPublicKeyInfo.
  public_key bytea not null,
  -- What the authenticator counts; 0 for passkeys that are synchronised between devices.
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index auth_passkeys_user on auth_passkeys (user_id);

-- The passkey that has opened a session, or that was created in it; null: a password or a provider has opened it.
alter table auth_sessions add column passkey_id text;
