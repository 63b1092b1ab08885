-- A name is unique among the macros that the same people see: another's private ones take none.
drop index macros_name;
alter table macros validate constraint macros_owner;
alter table macros validate constraint macros_team;
alter table macros validate constraint macros_visibility;
alter table saved_views validate constraint saved_views_team;
alter table saved_views validate constraint saved_views_visibility;
