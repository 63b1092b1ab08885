/** The words of chats and tickets marked as spam. */
export const words = {
  mark: 'Mark as spam',
  unmark: 'Not spam',
  marked: '{name} marked as spam',
  unmarked: '{name} marked as not spam',
  mark_failed: 'Couldn’t change the spam mark.',
  marked_by: '{name} marked this as spam {when}',
  marked_by_phrase: 'Marked as spam because of a blocked phrase {when}',
  marked_by_block: 'Marked as spam because the sender is blocked {when}',
  marked_by_token: 'Marked as spam over the API {when}',
  block_visitor: 'Block visitor',
  block_sender: 'Block sender',
  visitor_blocked: 'Visitor blocked',
  sender_blocked: '{email} blocked',
  blocked_before: 'Already blocked',
  block_failed: 'Couldn’t block the sender.',
  role_writes_notes: 'Your role lets you read and write notes, but not reply.',
  no_replies: 'This is spam. The sender doesn’t know. Mark it as not spam to reply.',
  suspended: {
    one: '{count} suspended email waits for a decision',
    other: '{count} suspended emails wait for a decision',
  },
} as const;
