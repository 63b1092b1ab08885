alter table sites validate constraint sites_ticket_routing;
alter table teams validate constraint teams_ticket_routing;
