-- As the contract's `officeHours` has them, read as a whole; null: none are set, and the site counts as open.
alter table sites add column office_hours json;
