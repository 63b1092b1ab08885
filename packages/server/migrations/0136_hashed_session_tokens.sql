-- `sha256:` and the hash of the token. As it is, for as long as a process of an earlier version runs.
comment on column auth_sessions.token is 'sha256:<hash>';
comment on column auth_verifications.identifier is 'sha256:<hash>, reset-link:<hash>';
