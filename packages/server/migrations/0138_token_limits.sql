alter table api_tokens add column expires_at timestamptz;
-- When admins hear next that it expires: a week before, and then.
alter table api_tokens add column expiry_notice_at timestamptz;
alter table api_tokens add column allowed_addresses text[] not null default '{}';
-- Of a token that is limited to resources. `can_write` is false then, for processes that don't know this.
alter table api_tokens add column scopes text[];
alter table api_tokens add column last_used_address text;
