-- outside a transaction
create index concurrently if not exists ticket_replies_participant on ticket_replies (site_id, participant_address)
  where participant_address is not null;
