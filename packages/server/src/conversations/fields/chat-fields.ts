import type { FieldChanges } from '@foyer/protocol';
import type { SiteContext } from '../../core/context.ts';
import { checkRequired, fieldsBetween, readChanges } from '../../sites/fields/field-values.ts';
import { changedTexts } from '../../sites/fields/field-words.ts';
import { writeFields } from '../../sites/fields/stored-values.ts';
import { aboutChat } from '../chat-events.ts';
import { closeLater, closeSession } from '../closing.ts';
import { renewFieldWords } from '../search/field-words.ts';
import { getSession, lockSession, type SessionRow } from '../sessions.ts';

/**
 * Sets custom fields of a locked chat, open or closed.
 * @throws AppError 400 that names every field with a wrong value
 */
export async function setChatFields(
  tx: SiteContext,
  session: SessionRow,
  changes: FieldChanges,
): Promise<SessionRow> {
  const fields = await readChanges(tx, 'chats', session.fields, changes);
  await writeFields(tx, 'chats', session.id, fields);
  if (changedTexts(fields)) await renewFieldWords(tx, [session.id]);
  const after = await getSession(tx, session.session_id);
  const changed = fieldsBetween(session.fields, after.fields);
  await tx.emit({
    notices: [{ kind: 'session', sessionId: session.session_id }],
    ...(Object.keys(changed).length > 0 && {
      webhook: {
        event: 'conversation_fields_changed',
        body: { ...aboutChat(tx, after), changes: changed },
      },
    }),
  });
  return after;
}

/**
 * Closes a chat for the team, now or in a few seconds. Visitors, and a block, close it even if fields are missing.
 * @throws AppError 404, 400 that names every required field without a value, 409 for closing a closed chat later
 */
export function closeByTeam(ctx: SiteContext, sessionId: string, inSeconds = 0): Promise<SessionRow> {
  return ctx.transaction(async (tx) => {
    const session = await lockSession(tx, sessionId);
    if (session.status !== 'closed') await checkRequired(tx, 'chats', session.fields);
    return inSeconds === 0 ? closeSession(tx, sessionId) : closeLater(tx, sessionId, inSeconds);
  });
}
