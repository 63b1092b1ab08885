-- A page that is loaded while a change of many is under way looks for it.
create index bulk_changes_latest on bulk_changes (site_id, agent_id, id);
