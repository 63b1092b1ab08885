-- Why a run failed or was stopped, and why a rule was switched off, in the form in which the desk translates errors.
alter table rule_runs
  add column failure jsonb;
alter table rules
  add column disabled_failure jsonb;
