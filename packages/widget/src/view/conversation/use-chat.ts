import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Chat } from '../../core/chat.ts';
import type { ConversationState } from '../../core/conversation.ts';
import type { Places } from '../use-places.ts';

interface Shared {
  chat: Chat;
  state: ConversationState;
  places: Places;
  closePanel: () => void;
}

export const SharedContext = createContext<Shared | null>(null);

export const useShared = (): Shared => {
  const shared = useContext(SharedContext);
  if (!shared) throw new Error('outside of App');
  return shared;
};
