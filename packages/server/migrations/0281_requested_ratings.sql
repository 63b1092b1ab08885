-- When a rule asked the visitor for a rating; null: the site's setting decides.
alter table conversations
  add column rating_requested_at timestamptz(3);
