-- The hours of the week at which a message is shown, in the site's time zone. Null: at any.
alter table proactive_messages add column weekly jsonb;
