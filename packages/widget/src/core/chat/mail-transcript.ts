import type { Chat } from '../chat.ts';

/**
 * Mails a session's transcript to the visitor.
 * @param given the address to use if the server knows none
 * @returns the address that the mail goes to
 */
export const mailTranscript = async (
  { call, apply }: Chat,
  sessionId: string,
  given: string | undefined,
): Promise<string> => {
  const input = { session_id: sessionId, ...(given && { email: given }) };
  const { email } = await call('chat.mail_transcript', input);
  apply({ type: 'email', email });
  return email;
};
