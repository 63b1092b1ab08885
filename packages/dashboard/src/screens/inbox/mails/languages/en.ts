/** What an email adds to a message: people, proof of the sender, and what the text leaves out. */
export const words = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  verified: 'Sender verified',
  not_verified: 'Sender not verified',
  verified_why: 'The sender’s domain is proven. SPF: {spf}, DKIM: {dkim}, DMARC: {dmarc}.',
  not_verified_why: 'Anyone could have sent this. SPF: {spf}, DKIM: {dkim}, DMARC: {dmarc}.',
  quoted: 'Quoted text',
  split: 'Move to new ticket',
  split_failed: 'Couldn’t create the ticket.',
  edit_recipients: 'Edit recipients',
  add_recipients: 'Add Cc or Bcc',
  copies_hint: 'Separate addresses with commas.',
  bad_addresses: 'Not an email address: {text}',
} as const;
