-- The request that a delivery comes from, as W3C traceparent; null unless it was traced.
alter table webhook_queue add column traceparent text;
