/** Creating sites and switching between them. */
export const words = {
  menu: 'Site: {site}',
  sites: 'Your sites',
  new_site: 'New site',

  new_hint: 'A site has its own team, settings and data. You’ll be its first admin.',
  name: 'Site name',
  name_hint: 'Visitors see it in the chat.',
  create: 'Create site',
  not_created: 'Couldn’t create the site.',

  files_question: 'Discard chosen files?',
  files_hint: 'Files you haven’t sent yet stay with this tab. Your drafts are kept.',
  switch: 'Switch site',
} as const;
