-- How the bot speaks, and how much a language model may answer for the site.

alter table sites
  add column bot_tone text not null default '',
  add column bot_rules text not null default '',
  add column model_answers_per_chat integer not null default 20,
  add column model_answers_per_day integer not null default 60;

alter table conversations
  add column model_answers integer not null default 0,
  -- What the visitor's browser wanted and the site speaks; null: not told.
  add column language text;
