export const words = {
  edit: 'Skills',
  edit_of: 'Skills of {name}',
  title: 'Skills of {name}',
  intro:
    'Chats in these languages or with these tags go to agents who have them. What no agent has doesn’t matter.',
  languages: 'Languages',
  tags: 'Tags',
  tags_failed: 'Couldn’t load the tags.',
  tags_none: 'There are no tags yet.',
  saved: 'Skills saved',
} as const;
