-- What was taken away again stays told: it does not come back by itself, and what is had back is the team's.
alter table sample_records add column removed_at timestamptz;
