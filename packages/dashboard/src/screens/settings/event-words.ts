import type { WebhookEvent } from '@foyer/protocol';

export const EVENT_WORDS: Record<WebhookEvent, string> = {
  handoff: 'A chat is handed to a person',
  feedback: 'A visitor rates a chat',
  conversation_started: 'A chat starts',
  conversation_closed: 'A chat is closed',
  message_created: 'A message is written',
  ticket_created: 'A ticket is made',
  ticket_updated: 'A ticket changes',
  ticket_replied: 'A ticket is answered',
  visitor_identified: 'A visitor says who they are',
  segment_entered: 'A visitor comes into a segment',
  segment_left: 'A visitor leaves a segment',
  ping: 'A test from this page',
};
