-- outside a transaction
create index concurrently if not exists blocked_senders_ticket
  on blocked_senders (site_id, ticket_id) where ticket_id is not null;
