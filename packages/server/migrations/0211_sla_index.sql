-- outside a transaction
create index concurrently if not exists tickets_sla_event on tickets (sla_event_at) where sla_event_at is not null;
create index concurrently if not exists tickets_sla_due on tickets (site_id, snoozed, sla_due_at, id) where sla_due_at is not null;
create index concurrently if not exists tickets_sla_due_assignee on tickets (site_id, snoozed, assignee_key, sla_due_at, id) where sla_due_at is not null;
