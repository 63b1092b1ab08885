-- Mailboxes that sign in with Google or Microsoft instead of a password. Encrypted tokens never leave the server.
create table mailbox_sign_ins (
  site_id bigint not null,
  mailbox_id bigint not null,
  provider text not null check (provider in ('google', 'microsoft')),
  -- When an admin signed in; null: nobody has yet.
  signed_in_at timestamptz(3),
  refresh_token_cipher bytea,
  access_token_cipher bytea,
  access_expires_at timestamptz(3),
  -- When the access token was issued; it tells one from the next.
  refreshed_at timestamptz(3),
  -- The process that gets the next access token has this long.
  refreshing_until timestamptz(3),
  -- When the provider refused the refresh token, and its words.
  ended_at timestamptz(3),
  ended_reason text,
  primary key (site_id, mailbox_id),
  foreign key (site_id, mailbox_id) references mailboxes (site_id, id) on delete cascade
);
