-- The ticket whose sender a block names, if it was blocked there.
alter table blocked_senders
  add column ticket_id bigint,
  add constraint blocked_senders_ticket foreign key (site_id, ticket_id) references tickets (site_id, id)
    on delete set null (ticket_id) not valid;
