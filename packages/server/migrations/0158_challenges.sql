-- When visitors' browsers solve a challenge before they create a record or a chat.
alter table sites
  add column challenges text not null default 'auto',
  add constraint sites_challenges check (challenges in ('auto', 'always', 'off')) not valid;
