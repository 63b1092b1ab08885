-- Markdown below a reply in its mail: the agent's own, else the site's. A reply keeps the one that its mail has, so a
-- mail that is sent again is the same.
alter table sites add column signature text not null default '' check (char_length(signature) <= 1000);
alter table agents add column signature text not null default '' check (char_length(signature) <= 1000);
alter table ticket_replies add column signature text check (char_length(signature) <= 10000);
