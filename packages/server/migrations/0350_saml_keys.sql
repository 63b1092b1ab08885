-- What identity providers encrypt SAML assertions to: one key of the site, and the one before it while providers change.
alter table sites
  -- RSA, PKCS #8 in PEM.
  add column saml_key_cipher bytea,
  add column saml_previous_key_cipher bytea,
  -- X.509, in PEM.
  add column saml_certificate text,
  add constraint sites_saml_key check ((saml_key_cipher is null) = (saml_certificate is null)) not valid;

alter table identity_providers
  -- Whether assertions that aren't encrypted are refused.
  add column saml_encrypted_only boolean not null default false;
