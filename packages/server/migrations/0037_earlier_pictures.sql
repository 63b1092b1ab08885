-- Pages that are open know an agent's picture by the address it had: that one leads to the picture of now.
alter table agents
  -- The names of the pictures that were replaced, oldest first; none once the agent has no picture.
  add column earlier_pictures text[] not null default '{}';
