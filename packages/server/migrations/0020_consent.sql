-- Pages keep and send nothing of a visitor before they call `boot`, or a chat is opened.
alter table sites add column consent boolean not null default false;
