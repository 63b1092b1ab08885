-- The mail server that an admin has set up for a site; SMTP_URL wins over it (mail/site-mailer.ts).
create table mail_settings (
  site_id bigint primary key references sites (id) on delete cascade,
  host text not null,
  port integer not null check (port between 1 and 65535),
  security text not null check (security in ('starttls', 'tls')),
  username text,
  -- Sealed with the server's key.
  password_cipher bytea,
  from_name text,
  from_address text not null,
  updated_at timestamptz not null
);
