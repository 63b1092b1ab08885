alter table sites validate constraint sites_saml_key;
