-- Pages and sitemaps as sources of the bot's knowledge, which are read again every day.
alter table knowledge_sources
  drop constraint knowledge_sources_kind_check,
  add constraint knowledge_sources_kind_check check (kind in ('page', 'sitemap', 'file')),
  -- Of a URL: its sources are read one after the other.
  add column host text,
  -- Why the sitemap couldn't be read.
  add column problem text check (problem in ('not_found', 'robots', 'elsewhere', 'private_address', 'unreachable', 'too_slow', 'server_error', 'too_large', 'not_sitemap')),
  -- The sitemap has more pages than are read.
  add column is_cut boolean not null default false,
  -- The sitemap is read before the pages, at the next reading.
  add column list_due boolean not null default false,
  -- Null for files.
  add column next_read_at timestamptz(3),
  -- How often in a row something couldn't be read for a reason that may pass.
  add column failures integer not null default 0,
  -- Who reads it now: others wait until then.
  add column lease_token uuid,
  add column lease_until timestamptz(3);
create index knowledge_sources_next on knowledge_sources (next_read_at) where next_read_at is not null;

alter table knowledge_documents
  drop constraint knowledge_documents_problem_check,
  add constraint knowledge_documents_problem_check check (problem in ('wrong_type', 'encrypted', 'no_text', 'damaged', 'too_many_pages', 'too_complex', 'file_gone', 'not_found', 'robots', 'noindex', 'elsewhere', 'private_address', 'unreachable', 'too_slow', 'server_error', 'too_large', 'not_html')),
  -- Where the page was found, after redirects; null for files.
  add column url text,
  -- To be read at the next reading of its source.
  add column due boolean not null default false,
  add column etag text,
  add column last_modified text,
  -- SHA-256 of what was received.
  add column content_hash text;
create unique index knowledge_documents_address on knowledge_documents (site_id, source_id, address);
create index knowledge_documents_due on knowledge_documents (site_id, source_id, id) where due;
