-- A ticket made from a chat: its description is the transcript up to this message. Null: the description was written.
alter table tickets add column chat_seq integer;
update tickets t set chat_seq = said.seq
from (
  select t.site_id, t.id, max(m.seq) as seq from tickets t
  join messages m on m.site_id = t.site_id and m.conversation_id = t.conversation_id and m.created_at <= t.created_at
  where t.description ~ '^\d{4}-\d\d-\d\d \d\d:\d\d UTC '
  group by t.site_id, t.id
) said
where said.site_id = t.site_id and said.id = t.id;
