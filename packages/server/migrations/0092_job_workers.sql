-- The worker processes that are alive: recurring work is shared out among them.
create table job_workers (
  worker uuid primary key,
  expires_at timestamptz not null
);
