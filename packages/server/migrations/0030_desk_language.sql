-- What the dashboard speaks to this agent, by BCP 47; null: what the browser prefers.
alter table agents add column language text check (language ~ '^[a-z]{2}$');
