import { randomUUID } from 'node:crypto';
import type { HelloFrame, Message } from '@foyer/protocol';
import { TestSocket } from './sockets.ts';

type Hello = Omit<HelloFrame, 'type'>;

/** A visitor who chats with the bot, and reads what is shown and what is stored. */
export async function openBotChat(url: string, publicKey: string, hello: Hello = {}, pageUrl?: string) {
  const { socket } = await TestSocket.visitor(url, publicKey, hello);
  let id: string | null = null;
  /** @returns the number of the message */
  const send = async (text: string): Promise<number> => {
    const page = pageUrl === undefined ? {} : { page_url: pageUrl };
    const said = { session_id: id, client_id: randomUUID(), text, ...page };
    const sent = (await socket.call('chat.send', said)) as {
      session: { session_id: string } | null;
      message: Message;
    };
    if (sent.session) {
      id = sent.session.session_id;
      await socket.subscribe(id);
    }
    return sent.message.seq;
  };
  /** The reaction to it. */
  const ask = async (text: string): Promise<Message> => {
    const seq = await send(text);
    return (await socket.next('message', ({ message }) => message.sender !== 'visitor' && message.seq > seq))
      .message;
  };
  /** Everything that was shown of answers while they were written. */
  const shown = (): string[] =>
    socket.frames.flatMap((frame) => (frame.type === 'answering' && frame.text !== '' ? [frame.text] : []));
  return { socket, ask, send, shown, id: () => id ?? '' };
}
