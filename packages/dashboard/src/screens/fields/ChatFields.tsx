import { useQuery } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { useDesk } from '../../desk/DeskContext.tsx';
import { sessionQuery } from '../../queries.ts';
import { FieldsPart } from './FieldsPart.tsx';

/** The custom fields of a chat. */
export function ChatFields({ sessionId }: { sessionId: string }) {
  const desk = useDesk();
  const { data } = useQuery(sessionQuery(sessionId));
  if (!data) return null;
  return (
    <FieldsPart
      owner="chats"
      values={data.fields}
      isDone={data.status === 'closed'}
      save={async (fields) => desk.take(await call('sessions.set_fields', { session_id: sessionId, fields }))}
    />
  );
}
