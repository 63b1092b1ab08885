-- A fingerprint of the secret with which this installation works: each process compares its own.
alter table installation alter column base_url drop not null;
alter table installation add column secret_check text;
