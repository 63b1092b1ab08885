import type { TimelineEntry, TimelineKind } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import { FileText, Lock, type LucideIcon, MessageSquare, Ticket, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { tCommon } from '../../../t-common.ts';
import { lengthOf } from '../../../times.ts';
import { Ago } from '../../../ui/Time.tsx';
import { plainText, statusWord, valueText } from '../../../words.ts';
import { statusWord as ticketStatusWord } from '../../inbox/ticket/ticket-words.ts';
import { t } from '../t.ts';
import { NoteBody } from './NoteBody.tsx';
import { PageLink } from './PageLink.tsx';

const ICONS: Readonly<Record<TimelineKind, LucideIcon>> = {
  event: Zap,
  page: FileText,
  chat: MessageSquare,
  ticket: Ticket,
  note: Lock,
};

/** An entry of a person's history with its time. */
export function TimelineRow({ entry }: { entry: TimelineEntry }) {
  const Icon = ICONS[entry.kind];
  return (
    <li className="flex items-start gap-3 py-2">
      <span
        role="img"
        aria-label={t(`kind_${entry.kind}`)}
        className="mt-0.5 inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-pressed text-soft"
      >
        <Icon aria-hidden className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">{bodyOf(entry)}</div>
      <Ago utc={entry.at_utc} className="shrink-0 pt-1 text-faint text-xs" />
    </li>
  );
}

function bodyOf(entry: TimelineEntry): ReactNode {
  switch (entry.kind) {
    case 'event':
      return (
        <Body
          title={<bdi>{entry.name}</bdi>}
          below={Object.entries(entry.properties)
            .map(([name, value]) => `${name}: ${valueText(value)}`)
            .join(' · ')}
        />
      );
    case 'page':
      return (
        <Body
          title={<PageLink url={entry.page_url} title={entry.page_title} />}
          below={[
            entry.left_utc
              ? t('stayed', { length: lengthOf(Date.parse(entry.left_utc) - Date.parse(entry.at_utc)) })
              : t('looking_now'),
            ...(entry.referrer ? [t('came_from', { place: hostOf(entry.referrer) })] : []),
          ].join(' · ')}
        />
      );
    case 'chat':
      return (
        <Link
          to="/inbox/$sessionId"
          params={{ sessionId: entry.session_id }}
          search={{}}
          className="block rounded-md hover:underline"
        >
          <Body
            title={<bdi>{plainText(entry.last_text) || tCommon('no_message')}</bdi>}
            below={[statusWord(entry.status), ...(entry.agent ? [entry.agent.name] : [])].join(' · ')}
          />
        </Link>
      );
    case 'ticket':
      return (
        <Link
          to="/inbox/tickets/$ticketId"
          params={{ ticketId: String(entry.id) }}
          search={{}}
          className="block rounded-md hover:underline"
        >
          <Body
            title={<bdi>{entry.subject}</bdi>}
            below={`#${entry.id} · ${ticketStatusWord(entry.status)}`}
          />
        </Link>
      );
    case 'note':
      return <NoteBody note={entry.note} />;
  }
}

const hostOf = (url: string): string => {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
};

const Body = ({ title, below }: { title: ReactNode; below: string }) => (
  <>
    <span className="block truncate">{title}</span>
    {below ? <span className="line-clamp-2 wrap-anywhere text-soft text-xs">{below}</span> : null}
  </>
);
