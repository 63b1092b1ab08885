alter table sites validate constraint sites_challenges;
