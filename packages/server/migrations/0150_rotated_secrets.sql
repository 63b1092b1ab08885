-- `rotated ` and the fingerprint of the secret, once `foyer secrets rotate` has run: what is encrypted then names its key.
comment on column installation.secret_check is 'fingerprint, or rotated <fingerprint>';
-- What was derived from the first secret and has to outlive it. Null before the first rotation: derived from the secret.
-- The key that identifies this installation to push services: agents would have to turn push on again.
alter table installation add column push_seed_cipher bytea;
-- Part of the names in Redis: processes with different names don't hear each other.
alter table installation add column redis_name text;
