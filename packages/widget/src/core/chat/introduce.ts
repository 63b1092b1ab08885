import type { InputOf } from '@foyer/protocol';
import type { Chat } from '../chat.ts';

/** Sends the visitor's answers to the site's questions before a chat. */
export const introduce = async (
  { call, apply, state }: Chat,
  answers: InputOf<'chat.introduce'>,
): Promise<void> => {
  await call('chat.introduce', answers);
  apply({ type: 'introduced' });
  if (answers.email && !state().ownEmail) apply({ type: 'email', email: answers.email });
};
