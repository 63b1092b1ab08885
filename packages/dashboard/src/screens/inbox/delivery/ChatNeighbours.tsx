import type { SessionDetail } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import { t } from './t.ts';

/** The chats that this one continues, and that continues it. */
export function ChatNeighbours({ session }: { session: SessionDetail }) {
  const links = [
    ['chat_before', session.previous_session_id],
    ['chat_after', session.next_session_id],
  ] as const;
  return (
    <p className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-4 border-b px-4 text-xs lg:px-6">
      {links.map(([word, sessionId]) =>
        sessionId === null ? null : (
          <Link
            key={word}
            to="/inbox/$sessionId"
            params={{ sessionId }}
            search={true}
            className="py-1 text-accent-text underline-offset-2 hover:underline"
          >
            {t(word)}
          </Link>
        ),
      )}
    </p>
  );
}
