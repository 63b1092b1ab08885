-- after older processes
-- They count nothing by team. A site without teams has nothing to count again.
update report_sites r set
  counted_by_team_at = now(),
  chats_below = case when has.teams then (select max(id) + 1 from conversations c where c.site_id = r.site_id) else r.chats_below end,
  tickets_below = case when has.teams then (select max(id) + 1 from tickets t where t.site_id = r.site_id) else r.tickets_below end
from (
  select site_id, exists (select from teams t where t.site_id = s.site_id) as teams
  from report_sites s where counted_by_team_at is null limit 500
) has
where r.site_id = has.site_id;
