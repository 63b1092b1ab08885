-- Which messages of a chat were redacted: a browser that was away gets them again when it returns.
alter table conversations add column redacted_seqs integer[] not null default '{}';
