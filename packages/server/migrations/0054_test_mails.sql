-- A test mail goes out at once and to wherever the server is: so many a day for each agent.
alter table agents
  add column test_mails_on date,
  add column test_mails integer not null default 0;
