import type { ReportConversation, ReportSpan } from '@foyer/protocol';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Inbox, MessageCircle, Ticket } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { statusWord, visitorName } from '../../words.ts';
import { statusWord as ticketStatusWord } from '../inbox/ticket/ticket-words.ts';
import { figureTitle } from './figure-words.ts';
import { agentsQuery, conversationsQuery, tagsQuery } from './report-queries.ts';
import { type Figure, withoutFigure } from './report-search.ts';
import { t } from './t.ts';

interface FigureConversationsProps {
  figure: Figure;
  span: ReportSpan;
}

/** The name of the agent or tag of a figure, taken from the report below. */
function useNameOf({ show, of }: Figure, span: ReportSpan): string | undefined {
  const isTag = /tag/.test(show);
  const agents = useQuery({ ...agentsQuery(span), enabled: !isTag && /^(agent|ratings)/.test(show) });
  const tags = useQuery({ ...tagsQuery(span), enabled: isTag });
  const agent = agents.data?.agents.find((one) => String(one.agent.id) === of)?.agent;
  return isTag ? tags.data?.tags.find(({ tag }) => String(tag.id) === of)?.tag.name : agent?.name;
}

/** The chats and tickets behind a figure, over the report. Part of the address, so Back returns here. */
export function FigureConversations({ figure, span }: FigureConversationsProps) {
  const navigate = useNavigate({ from: '/reports' });
  const list = useInfiniteQuery(conversationsQuery(figure, span));
  const rows = list.data?.pages.flatMap((page) => page.items) ?? [];
  const title = figureTitle(figure, useNameOf(figure, span));
  const close = (): void => {
    void navigate({ search: withoutFigure, replace: true, resetScroll: false });
  };
  return (
    <Dialog open wide onClose={close} title={title}>
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
