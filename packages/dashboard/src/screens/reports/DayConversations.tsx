import type { ReportConversation } from '@foyer/protocol';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox, MessageCircle, Ticket } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { statusWord, visitorName } from '../../words.ts';
import { statusWord as ticketStatusWord } from '../inbox/ticket/ticket-words.ts';
import { conversationsQuery } from './report-queries.ts';
import { t } from './t.ts';

interface DayConversationsProps {
  day: string;
  /** How many days the bar stands for. */
  days: number;
  title: string;
  onClose: () => void;
}

/** The chats and tickets behind a bar of a chart. */
export function DayConversations({ day, days, title, onClose }: DayConversationsProps) {
  const list = useInfiniteQuery(conversationsQuery(day, days));
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Dialog open wide onClose={onClose} title={title}>
      <PagedList
        list={list}
        count={rows.length}
        label={title}
        failed={t('conversations_failed')}
        bones={{ rows: 6 }}
        empty={
          <Empty icon={<Inbox />} title={t('conversations_none')}>
            {t('conversations_none_hint')}
          </Empty>
        }
      >
        {rows.map((one) => (
          <Row key={one.kind === 'chat' ? one.session_id : one.id} one={one} />
        ))}
      </PagedList>
    </Dialog>
  );
}

const ROW = '-outline-offset-2 flex min-h-11 items-center gap-3 px-4 py-2 hover:bg-hover';

function Row({ one }: { one: ReportConversation }) {
  const name = <bdi>{visitorName(one.visitor)}</bdi>;
  if (one.kind === 'chat')
    return (
      <li>
        <Link to="/inbox/$sessionId" params={{ sessionId: one.session_id }} search={{}} className={ROW}>
          <MessageCircle aria-label={t('kind_chat')} className="size-4 shrink-0 text-soft" />
          <Words title={name} status={statusWord(one.status)} utc={one.created_utc} />
        </Link>
      </li>
    );
  return (
    <li>
      <Link to="/inbox/tickets/$ticketId" params={{ ticketId: String(one.id) }} search={{}} className={ROW}>
        <Ticket aria-label={t('kind_ticket')} className="size-4 shrink-0 text-soft" />
        <Words title={one.subject} by={name} status={ticketStatusWord(one.status)} utc={one.created_utc} />
      </Link>
    </li>
  );
}

function Words({
  title,
  by,
  status,
  utc,
}: {
  title: ReactNode;
  by?: ReactNode;
  status: string;
  utc: string;
}) {
  return (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate" dir="auto">
          {title}
        </span>
        {by ? <span className="block truncate text-soft text-xs">{by}</span> : null}
      </span>
      <Badge>{status}</Badge>
      <Ago utc={utc} className="w-16 shrink-0 text-end text-faint text-xs" />
    </>
  );
}
