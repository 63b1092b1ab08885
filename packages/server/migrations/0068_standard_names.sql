-- Tables and columns get the words that the rest of Foyer uses for the same things. Their contents stay as they are.
alter table visitors rename column folded_into_id to merged_into_id;
alter table visitors rename column vouched to verified_fields;
alter table visitors rename column introduced_at to pre_chat_completed_at;
alter table visitors rename column seen_hour to last_seen_hour;
alter table visitor_devices rename column told to reported_attributes;
alter table visitor_devices rename column introduced_at to pre_chat_completed_at;
alter table webhook_subscriptions rename column untold_since to disabled_notice_due_at;
alter table webhook_lanes rename to webhook_leases;
alter table report_marks rename to report_dirty_records;
alter table report_counted rename to report_contributions;
alter table snippet_sightings rename to widget_installs_seen;
alter table former_slugs rename to slug_redirects;
alter table former_help_slugs rename to help_slug_redirects;
alter table copilot_days rename to ai_usage_days;
alter table chat_words rename to message_search_chunks;
alter table chat_word_sites rename to message_search_progress;
alter table notification_mails rename to digest_mails;
alter table sites rename column gaps_checked_version to unanswered_questions_checked_version;
alter table gaps rename to unanswered_questions;
alter table gap_terms rename to unanswered_question_terms;
alter table unanswered_question_terms rename column gap_id to question_id;
alter table gap_questions rename to unanswered_question_messages;
alter table unanswered_question_messages rename column gap_id to question_id;

-- Constraints, indexes and sequences follow. Which there are depends on PostgreSQL: from 18 on, `not null` has names.
do $$
declare
  tables constant regclass[] := '{
    sites, visitors, visitor_devices, webhook_subscriptions, webhook_leases, report_dirty_records, report_contributions,
    widget_installs_seen, slug_redirects, help_slug_redirects, ai_usage_days, message_search_chunks,
    message_search_progress, digest_mails, unanswered_questions, unanswered_question_terms, unanswered_question_messages
  }';
  words text[];
  item record;
  new_name text;
begin
  foreach words slice 1 in array '{
    {folded_into_id, merged_into_id}, {visitors_folded, visitors_merged}, {vouched, verified_fields},
    {introduced_at, pre_chat_completed_at}, {seen_hour, last_seen_hour}, {told, reported_attributes},
    {untold, disabled_notice_due}, {webhook_lanes, webhook_leases}, {report_marks, report_dirty_records},
    {report_counted, report_contributions}, {snippet_sightings, widget_installs_seen}, {former_slugs, slug_redirects},
    {former_help_slugs, help_slug_redirects}, {copilot_days, ai_usage_days}, {chat_words, message_search_chunks},
    {chat_word_sites, message_search_progress}, {notification_mails, digest_mails},
    {gap_questions, unanswered_question_messages}, {gap_terms, unanswered_question_terms},
    {gaps, unanswered_questions}, {gap, question}
  }'::text[] loop
    for item in
      select format('alter table %s rename constraint %I to', conrelid::regclass, conname) as command, conname as name
      from pg_constraint where conrelid = any (tables) and contype in ('f', 'c', 'n')
      -- An index takes the constraint that it stands behind along.
      union all
      select format('alter index %s rename to', indexrelid::regclass), relname
      from pg_index join pg_class on oid = indexrelid where indrelid = any (tables)
      union all
      select format('alter sequence %s rename to', c.oid::regclass), c.relname
      from pg_depend d join pg_class c on c.oid = d.objid
      where d.classid = 'pg_class'::regclass and d.refobjid = any (tables) and c.relkind = 'S'
    loop
      new_name := regexp_replace(item.name, format('(^|_)%s(_|$)', words[1]), format('\1%s\2', words[2]));
      continue when new_name = item.name;
      execute format('%s %I', item.command, new_name);
    end loop;
  end loop;
end
$$;

-- Jobs that wait under the old name move with their queue, which pg-boss made outside of the migrations. Its foreign key
-- is checked at the end of the transaction.
do $$
begin
  if to_regclass('foyer_jobs.job') is null then return; end if;
  update foyer_jobs.queue set name = 'inbox.bulk_change' where name = 'inbox.change_many'
    and not exists (select from foyer_jobs.queue where name = 'inbox.bulk_change');
  update foyer_jobs.job set name = 'inbox.bulk_change' where name = 'inbox.change_many';
end
$$;
