-- An agent's newest notifications are listed without reading all of theirs (notifications/notifications.ts).
create index notifications_newest on notifications (site_id, agent_id, happened_at desc, id desc)
  where kind <> 'chat_waiting' or seen_at is null;
