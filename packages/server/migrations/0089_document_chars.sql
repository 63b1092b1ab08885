-- How much text a site's documents have together is bounded: the bot's index of it is in memory.
alter table knowledge_documents
  add column chars integer not null default 0,
  drop constraint knowledge_documents_problem_check,
  add constraint knowledge_documents_problem_check check (problem in ('wrong_type', 'encrypted', 'no_text', 'damaged', 'too_many_pages', 'too_complex', 'file_gone', 'not_found', 'robots', 'noindex', 'elsewhere', 'private_address', 'unreachable', 'too_slow', 'server_error', 'too_large', 'not_html', 'site_full'));
update knowledge_documents set chars = length(body) where body <> '';
