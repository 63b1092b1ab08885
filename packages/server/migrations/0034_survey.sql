-- What visitors are asked after a chat, and when, as the contract's `survey` has it. Empty texts: the widget's own words.
alter table sites add column survey jsonb not null
  default '{"ask": "always", "scale": "stars", "question": "", "thanks": ""}';
