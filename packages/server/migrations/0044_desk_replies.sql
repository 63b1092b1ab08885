-- A reply whose answer was lost is sent again by the desk under the same id, and stored once.
alter table ticket_replies add column client_id uuid;
create unique index ticket_replies_once on ticket_replies (site_id, ticket_id, agent_id, client_id)
  where client_id is not null;

-- Files that an agent sent up may go with a reply as well as with a message.
alter table attachments drop constraint attachments_check1;
alter table attachments add constraint attachments_sent check (reply_id is not null or upload_id is not null);
