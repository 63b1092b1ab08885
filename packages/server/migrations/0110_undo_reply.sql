-- Until when the author can undo a reply by email, and what the ticket was like before: null once its mail is sent.
alter table ticket_replies add column undo jsonb;
