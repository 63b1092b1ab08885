export const words = {
  title: 'Fields',
  not_saved: 'Couldn’t save the field.',
  none: 'Not set',
  yes: 'Yes',
  no: 'No',
  add_choice: 'Add…',
  remove_choice: 'Remove {name}',
  open_link: 'Open {name}',
  required_tickets: 'Required to solve',
  required_chats: 'Required to close',
} as const;
