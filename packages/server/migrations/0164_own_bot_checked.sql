alter table sites validate constraint sites_own_bot_timeout;
