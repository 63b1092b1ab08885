import type { Chat } from '../../core/chat.ts';
import { chatsByTime } from '../../core/conversation.ts';
import { newChatName } from '../../core/outbox.ts';
import { useShared } from './use-chat.ts';

/** What happens in a new chat once the site's questions, if any, are answered. */
type Opening =
  | { type: 'nothing' | 'person'; proactive_id?: never }
  | { type: 'message'; text: string; proactive_id?: number };

/** By the id of a chat that isn't created yet. A reload forgets it, and the visitor asks again. */
export const openings = new Map<string, Opening>();

/** Opens a new chat from the page: what was said there is sent once the site's questions are known and answered. */
export const openWith = (chat: Chat, opening: Opening): void => {
  const place = newChatName();
  openings.set(place, opening);
  chat.show({ name: 'chat', chat: place });
};

/** Opens a chat from anywhere in the panel. */
export const useBegin = () => {
  const { chat, state, places } = useShared();

  const perform = (place: string, opening: Opening) => {
    if (opening.type === 'person') chat.askForPerson(place);
    if (opening.type === 'message') chat.send(place, opening.text, opening.proactive_id);
  };
  const begin = (opening: Opening) => {
    const place = opening.type === 'nothing' ? chat.newChat() : newChatName();
    openings.set(place, opening);
    places.go({ name: 'chat', chat: place });
    if (state.preChat.length === 0) proceed(place);
  };
  const wantsPerson = (place: string) => openings.get(place)?.type === 'person';
  /** Does once what the chat was opened for, and calls a person if the visitor has asked for one since. */
  const proceed = (place: string, asksPerson = false) => {
    const opening = openings.get(place);
    openings.delete(place);
    if (opening) perform(place, opening);
    if (asksPerson && opening?.type !== 'person') chat.askForPerson(place);
  };
  /** Opens the chat in which a person was requested, or requests one in the bot's chat, or in a new one. */
  const askPerson = () => {
    const open = chatsByTime(state).filter(({ status }) => status !== 'closed');
    const going = open.find(({ status }) => status !== 'bot') ?? open[0];
    if (!going) return begin({ type: 'person' });
    places.go({ name: 'chat', chat: going.session_id });
    if (going.status === 'bot') chat.askForPerson(going.session_id);
  };
  return { begin, proceed, wantsPerson, askPerson };
};
