export const words = {
  of_tickets: 'Ticket fields',
  of_chats: 'Chat fields',
  of_people: 'Person fields',
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
