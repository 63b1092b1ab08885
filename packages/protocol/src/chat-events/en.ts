/**
 * System messages of a chat, in the widget and in the mailed transcript. The phrase tables of both include them.
 */
export const chatEvents = {
  event_handed_off: 'This chat was handed over to the team',
  event_agent_joined: '{name} joined the chat',
  event_agent_joined_unnamed: 'Someone from the team joined the chat',
  event_given_back: 'The assistant is answering again',
  event_email_left: 'You left your email address',
  event_closed_by_visitor: 'You ended the chat',
  event_closed_by_agent: 'The chat has ended',
} as const;
