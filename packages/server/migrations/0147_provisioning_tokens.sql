-- outside a transaction
create unique index concurrently if not exists identity_providers_scim_token on identity_providers (scim_token_hash);
