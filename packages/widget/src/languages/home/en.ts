import { chatEvents } from '@foyer/protocol/chat-events/en';

/** The words of the first view, and of every place; the other languages have the same keys, which the types and a test hold. */
export const words = {
  chat: 'Chat',
  open: 'Open chat',
  close: 'Close chat',
  home_hello: 'Hi there',
  home_greeting: 'How can we help?',
  home_send: 'Send us a message',
  home_online: 'The team is online',
  home_away: 'Our bot can help now. The team is away.',
  home_starters: 'Common questions',
  home_recent: 'Your chats',
  home_all_chats: 'All chats',
  reply_few: 'We usually reply in a few minutes',
  reply_minutes: {
    one: 'We usually reply in about {count} minute',
    other: 'We usually reply in about {count} minutes',
  },
  reply_hours: {
    one: 'We usually reply within {count} hour',
    other: 'We usually reply within {count} hours',
  },
  back_today: 'Back today at {time}',
  back_tomorrow: 'Back tomorrow at {time}',
  back_on: 'Back on {day} at {time}',
  help_search: 'Search for help',
  loading: 'Loading…',
  load_failed: 'Couldn’t load this.',
  bot_name: 'Assistant',
  team: 'The team',
  you: 'You',
  says: '{name}: {text}',
  closed_hint: 'This chat has ended',
  person: 'Talk to a person',
  retry: 'Try again',
  offline: 'You’re offline. Messages will be sent when you’re back online.',
  reconnecting: 'Reconnecting… Messages will be sent once you’re connected.',
  today: 'Today',
  yesterday: 'Yesterday',
  ...chatEvents,
  unread: { one: '{count} unread message', other: '{count} unread messages' },
  powered: 'Chat by Foyer',
} as const;

/** Loads the words of the other places. */
export const loadOthers = async () => (await import('../places/en.ts')).words;
