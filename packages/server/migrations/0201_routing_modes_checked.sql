alter table sites validate constraint sites_routing;
alter table teams validate constraint teams_routing;
