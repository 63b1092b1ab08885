-- Records of a team are counted under the team's measures too, such as `chats@5`. Null: the site's records of before
-- still have to be counted so.
alter table report_sites add column counted_by_team_at timestamptz;
