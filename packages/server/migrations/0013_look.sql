-- How a site's widget looks beside its colour, and what it speaks.
alter table sites
  add column position text not null default 'right' check (position in ('left', 'right')),
  add column theme text not null default 'auto' check (theme in ('light', 'dark', 'auto')),
  add column launcher_text text not null default '',
  add column language text not null default 'en',
  -- Empty: every language that the widget has.
  add column languages text[] not null default '{}';
