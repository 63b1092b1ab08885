-- outside a transaction
-- Tickets whose next target has been warned about and isn't late yet (sla/due-filter.ts).
create index concurrently if not exists tickets_sla_soon on tickets (site_id, sla_due_at, id)
  where jsonb_path_exists(sla, '$.* ? (@.warned == true && @.missed == null && @.done == null && @.due != null)');
