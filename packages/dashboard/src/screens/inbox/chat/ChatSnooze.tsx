import type { Session } from '@foyer/protocol';
import { SnoozeMenu } from '../snooze/SnoozeMenu.tsx';
import { useSnoozableChat } from '../snooze/use-snooze.ts';

/** Puts a chat aside, by its button or its key. On a phone its menu and its banner do. */
export const ChatSnooze = ({ session }: { session: Session }) => (
  <SnoozeMenu of={useSnoozableChat(session)} className="max-sm:hidden" />
);
