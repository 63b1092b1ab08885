-- How long the audit log is kept; null: for ever.
alter table sites add column audit_log_months integer check (audit_log_months between 1 and 120);
