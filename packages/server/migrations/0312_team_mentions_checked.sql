-- A note may mention several teams, and one mention may be in the queues of several agents.
alter table mentions drop constraint mentions_once;
alter table mentions validate constraint mentions_team;
alter table mention_queue
  drop constraint mention_queue_pkey,
  add constraint mention_queue_pkey primary key using index mention_queue_key;
