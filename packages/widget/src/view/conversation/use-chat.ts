import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Chat } from '../../core/chat.ts';
import type { ConversationState } from '../../core/conversation.ts';
import type { Places } from '../use-places.ts';

export interface Shared {
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

/** The time, looked at again every `everyMs`; for sentences such as "waiting 2 min". */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};
