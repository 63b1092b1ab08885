-- outside a transaction
-- Nobody mistypes the key of an anonymous visitor, who has nothing else to search; most visitors are anonymous.
create index concurrently if not exists visitors_typo_keys
  on visitors using gin (visitor_typo_keys(site_id, search))
  where erased_at is null and search !~ '^   anon_[a-z0-9_-]*$';
