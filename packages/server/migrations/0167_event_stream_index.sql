-- outside a transaction
create index concurrently if not exists webhook_events_stream on webhook_events (site_id, stream_xid, stream_n) where stream_xid is not null;
