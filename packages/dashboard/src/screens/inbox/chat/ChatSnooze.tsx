import type { Session } from '@foyer/protocol';
import { SnoozeMenu } from '../snooze/SnoozeMenu.tsx';
import { useSnoozableChat } from '../snooze/use-snooze.ts';

/** Snoozes a chat, by button or key. Phones have it in the menu and the banner. */
export const ChatSnooze = ({ session }: { session: Session }) => (
  <SnoozeMenu of={useSnoozableChat(session)} className="max-sm:hidden" />
);
