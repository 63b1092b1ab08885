/** What the dialogs of a chat say. */
export const words = {
  assign_to: 'Assign to {name}',
  note_for: 'Note for {name} (optional)',
  note_for_hint: 'Only your team sees this.',
  set_done: 'Question added',
  set_add: 'Add',
  set_hint: 'Every run in {link} asks the bot this question.',
  evaluation: 'Evaluation',
  set: 'Question set',
  set_new_hint: 'Foyer creates this set. You can rename it later.',
  new_set: 'Questions from chats',
  summary: 'Chat summary',
  summary_noted: 'Summary added as a note',
  summary_add: 'Add as note',
  summary_copy: 'Copy summary',
  summary_none: 'Couldn’t summarise the chat.',
} as const;
