/** Whether and how a reply reaches the customer. */
export const words = {
  mail_goes_to: 'Replies are emailed to {email}.',
  mail_not_set_up: 'Email isn’t set up. {name} can only read replies on the ticket page.',
  mail_no_address: '{name} has no email address and can only read replies on the ticket page.',
  mail_in_chat: 'Replies appear in {name}’s open chat.',
  reply_not_sent: 'Not emailed',
  reply_in_chat: 'Sent to the open chat',
  reply_queued: 'Not emailed yet. Foyer keeps trying.',
  reply_sending: 'The email is sent in a few seconds.',
  reply_undo: 'Undo',
  reply_undo_failed: 'Couldn’t undo the reply.',
  reply_retry: 'Try again',
  reply_email_now: 'Email it now',
  reply_retry_failed: 'Couldn’t email the reply.',
  reply_refused: 'Email rejected',
  reply_failed: 'Email failed',
  reply_bounced: 'Email bounced',
} as const;
