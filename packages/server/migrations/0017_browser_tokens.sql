-- Tokens that stand in pages, and who is believed.

-- Null: an API token. Else a browser token (decisions 6), for pages of these origins; of any while the list is empty.
alter table api_tokens add column browser_origins text[];
alter table api_tokens add constraint api_tokens_browser check (browser_origins is null or can_write);

-- The one before still proves until then, so that servers can be changed one after the other.
alter table sites
  add column identity_secret_hint text,
  add column identity_secret_made_at timestamptz,
  add column identity_secret_previous_cipher bytea,
  add column identity_secret_previous_until timestamptz;

-- Which of email and name came from the site's own server, an agent or a proven page: an unproven page leaves those.
alter table visitors add column vouched text[] not null default '{}' check (vouched <@ array['email', 'name']);
