-- Whether pages report who is on the site, also before the chat is opened.
alter table sites add column live_visitors boolean not null default true;
