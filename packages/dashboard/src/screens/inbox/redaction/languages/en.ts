/** The words of redacting what was written. */
export const words = {
  redact: 'Redact',
  question: 'Redact this?',
  part: 'The selected text: “{text}”',
  message: 'The whole message',
  message_files: {
    one: 'The whole message and {count} file',
    other: 'The whole message and {count} files',
  },
  file: 'The file {name}',
  select_first: 'To redact only a part, cancel and select it first.',
  hint: 'It is replaced by “[redacted]” in this conversation and everywhere Foyer stores a copy: notes, emails, search and webhooks. The customer sees that too. Emails and webhooks that were already sent keep it.',
  final: 'This can’t be undone.',
  done: { one: 'Redacted in {count} place', other: 'Redacted in {count} places' },
} as const;
