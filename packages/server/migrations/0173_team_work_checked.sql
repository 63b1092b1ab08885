alter table conversations validate constraint conversations_team;
alter table tickets validate constraint tickets_team;
