-- Reports list the records behind a sum: each row of report_days leads to the contributions that it is made of.
create or replace function report_sum_keys(site_id bigint, counts jsonb) returns text[] language sql immutable parallel safe as $$
  select coalesce(
    array_agg(distinct
      site_id::text || ' ' || (n ->> 0) || ' ' || (n ->> 1) || ' ' || (n ->> 3) || ' ' || (n ->> 2)
    ), '{}')
  from jsonb_array_elements(counts) n
$$;
create index report_contributions_sums on report_contributions using gin (report_sum_keys(site_id, counts));
