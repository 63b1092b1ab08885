-- Groups of words that mean the same to a site's customers: a list of lists.
alter table sites add column synonyms jsonb not null default '[]';

-- What an embedding model made of a passage's text, as four-byte floats; kept by the text, whatever article has it.
create table passage_vectors (
  site_id bigint not null references sites (id) on delete cascade,
  model text not null,
  text_hash text not null,
  vector bytea not null,
  primary key (site_id, model, text_hash)
);
