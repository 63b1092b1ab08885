-- Identity providers by SAML 2.0. Their issuer is the entity id; they have no client, so an empty secret is stored.
alter table identity_providers
  -- Where the browser is sent to sign in; null: OpenID Connect.
  add column saml_sign_in_url text,
  -- In PEM, one after the other; several while the provider changes its key.
  add column saml_certificates text;
