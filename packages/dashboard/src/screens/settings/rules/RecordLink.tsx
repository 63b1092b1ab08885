import { Link } from '@tanstack/react-router';
import { t } from './t.ts';

interface RecordLinkProps {
  ticket_id: number | null;
  session_id: string | null;
  /** A ticket's subject; of a chat, what it is about or who it is with. */
  title: string;
}

const LOOK = 'wrap-anywhere inline-block py-0.5 font-medium text-accent-text hover:underline';

/** The chat or ticket that a rule looked at. */
export const RecordLink = ({ ticket_id, session_id, title }: RecordLinkProps) =>
  ticket_id === null ? (
    <Link to="/inbox/$sessionId" params={{ sessionId: session_id ?? '' }} search={{}} className={LOOK}>
      {title === '' ? t('chat_untitled') : t.rich('chat', { title: <bdi>{title}</bdi> })}
    </Link>
  ) : (
    <Link to="/inbox/tickets/$ticketId" params={{ ticketId: String(ticket_id) }} search={{}} className={LOOK}>
      {t.rich('ticket', { number: String(ticket_id), title: <bdi>{title}</bdi> })}
    </Link>
  );
