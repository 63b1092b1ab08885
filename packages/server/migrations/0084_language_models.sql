-- A site's own language model, which wins over the one of the server's environment; or that the site uses none.
create table language_models (
  site_id bigint primary key references sites (id) on delete cascade,
  -- Null: the environment's.
  provider text check (provider in ('openai', 'anthropic')),
  -- Null for Anthropic's own.
  base_url text,
  model text,
  -- Encrypted with the server's key; its last letters tell it from another one.
  key_cipher bytea,
  key_hint text,
  off_at timestamptz,
  updated_at timestamptz not null,
  check ((provider is null) = (model is null)),
  check (provider is distinct from 'openai' or base_url is not null),
  check (provider is not null or (base_url is null and key_cipher is null and off_at is not null)),
  check ((key_cipher is null) = (key_hint is null))
);
