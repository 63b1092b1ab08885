-- Whether agents see what a visitor writes before it is sent. What is seen is never stored.
alter table sites add column typing_preview boolean not null default true;
