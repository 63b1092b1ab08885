-- Who the visitor was stands apart from what they asked, so that erasing a visitor empties a column.
alter table handoffs add column visitor_line text;
-- Summaries ended with that line; questions begin with a quotation mark.
update handoffs h set
  visitor_line = substring(h.summary from E'\n([^“…\n][^\n]*)$'),
  summary = regexp_replace(h.summary, E'\n[^“…\n][^\n]*$', '')
from conversations c join visitors v on v.site_id = c.site_id and v.id = c.visitor_id
where c.site_id = h.site_id and c.id = h.conversation_id
  and v.erased_at is null
  and h.summary ~ E'\n[^“…\n][^\n]*$';
