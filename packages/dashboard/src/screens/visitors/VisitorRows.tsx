import type { ListedVisitor } from '@foyer/protocol';
import { VISITOR_COUNT_MAX } from '@foyer/protocol/values/bounds';
import { Link } from '@tanstack/react-router';
import { BadgeCheck, Ban } from 'lucide-react';
import { memo, type ReactNode, useRef } from 'react';
import { formatNumber, useLanguage } from '../../language.ts';
import { Face } from '../../ui/Face.tsx';
import { useMoreNearEnd, useRowsInView } from '../../ui/rows/rows-in-view.ts';
import { Badge } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { visitorName } from '../../words.ts';
import { t } from './t.ts';

/** 56 px and a border. */
const ROW_PX = 57;
const AHEAD = 12;
const SEGMENTS_SHOWN = 2;

const keyOf = ({ key }: ListedVisitor): string => key;

const CELL = 'w-16 shrink-0 text-end tabular';
const WHEN = 'w-24 shrink-0 text-end';

interface VisitorRowsProps {
  visitors: ListedVisitor[];
  hasMore: boolean;
  onMore: () => void;
}

/** Renders only the visible rows and a few around them, however long the list is. */
export function VisitorRows({ visitors, hasMore, onMore }: VisitorRowsProps) {
  const list = useRef<HTMLUListElement>(null);
  const { first, end, style } = useRowsInView(list, {
    place: 'visitors',
    items: visitors,
    keyOf,
    rowPx: ROW_PX,
    ahead: AHEAD,
  });
  useMoreNearEnd({ count: visitors.length, end, hasMore, onMore });
  return (
    <div className="overflow-hidden rounded-lg border">
      <Heads />
      <ul
        // Rows that didn't change must be recreated when the language changes.
        key={useLanguage()}
        ref={list}
        aria-label={t('visitors')}
        style={style}
      >
        {visitors.slice(first, end).map((visitor, below) => (
          <Row key={visitor.key} visitor={visitor} at={first + below} size={hasMore ? -1 : visitors.length} />
        ))}
      </ul>
    </div>
  );
}

/** The column headings; each cell repeats its own for screen readers. */
const Heads = () => (
  <div
    aria-hidden
    className="flex h-8 items-center gap-3 border-b bg-sunken px-4 text-soft text-xs max-md:hidden"
  >
    <span className="w-8 shrink-0" />
    <span className="min-w-0 flex-[3]">{t('visitor')}</span>
    <span className="min-w-0 flex-[2] max-lg:hidden">{t('fact_segments')}</span>
    <span className={CELL}>{t('events')}</span>
    <span className={CELL}>{t('chats')}</span>
    <span className={`${CELL} max-lg:hidden`}>{t('tickets')}</span>
    <span className={`${WHEN} max-xl:hidden`}>{t('fact_first')}</span>
    <span className={WHEN}>{t('fact_last')}</span>
  </div>
);

interface RowProps {
  visitor: ListedVisitor;
  at: number;
  /** The length of the whole list; -1: not known yet. */
  size: number;
}

const Row = memo(function Row({ visitor, at, size }: RowProps) {
  return (
    <li
      aria-setsize={size}
      aria-posinset={at + 1}
      className="isolate border-b last:border-b-0"
      style={{ height: ROW_PX }}
    >
      <VisitorLink visitor={visitor} />
    </li>
  );
});

function VisitorLink({ visitor }: { visitor: ListedVisitor }) {
  const below = visitor.name && visitor.email ? visitor.email : visitor.key;
  return (
    <Link
      to="/visitors/$key"
      params={{ key: visitor.key }}
      className="-outline-offset-2 flex h-14 items-center gap-3 px-4 hover:bg-hover"
    >
      <Face kind="visitor" name={visitor.name} />
      <span className="min-w-0 flex-[3]">
        <span className="flex min-w-0 items-center gap-1.5">
          <bdi className="truncate font-medium">{visitorName(visitor)}</bdi>
          <Marks visitor={visitor} />
        </span>
        <span className="block truncate text-soft text-xs">
          <bdi>{below}</bdi>
        </span>
      </span>
      <span className="flex min-w-0 flex-[2] gap-1 overflow-hidden max-lg:hidden">
        <SegmentBadges names={visitor.segments} />
      </span>
      <Count className="max-md:hidden" of={visitor.event_count} name={t('events')} />
      <Count className="max-md:hidden" of={visitor.chat_count} name={t('chats')} isBounded />
      <Count className="max-lg:hidden" of={visitor.ticket_count} name={t('tickets')} isBounded />
      <Cell className="max-xl:hidden" name={t('fact_first')}>
        <Ago utc={visitor.first_seen_utc} className="text-soft text-xs" />
      </Cell>
      <Cell name={t('fact_last')}>
        <Ago utc={visitor.last_seen_utc} className="text-soft text-xs" />
      </Cell>
    </Link>
  );
}

/** Whether the site has proved the identity, and whether the visitor is blocked. */
function Marks({ visitor }: { visitor: Pick<ListedVisitor, 'verified_utc' | 'blocked_utc'> }) {
  return (
    <>
      {visitor.verified_utc ? (
        <span role="img" aria-label={t('is_verified')} title={t('is_verified')} className="shrink-0">
          <BadgeCheck aria-hidden className="size-4 text-good-text" />
        </span>
      ) : null}
      {visitor.blocked_utc ? (
        <Badge tone="danger">
          <Ban aria-hidden className="size-3" />
          {t('is_blocked')}
        </Badge>
      ) : null}
    </>
  );
}

/** As many as fit, and the number of the others. */
function SegmentBadges({ names }: { names: readonly string[] }) {
  const more = names.length - SEGMENTS_SHOWN;
  return (
    <>
      {names.slice(0, SEGMENTS_SHOWN).map((name) => (
        <span key={name} className="min-w-0 not-only:max-w-1/2" title={name}>
          <Badge>
            <bdi className="truncate">{name}</bdi>
          </Badge>
        </span>
      ))}
      {more > 0 ? (
        <span title={names.slice(SEGMENTS_SHOWN).join(', ')}>
          <Badge>+{formatNumber(more)}</Badge>
        </span>
      ) : null}
    </>
  );
}

function Cell({ name, className, children }: { name: string; className?: string; children: ReactNode }) {
  return (
    <span className={`${WHEN} ${className ?? ''}`}>
      <span className="sr-only">{name} </span>
      {children}
    </span>
  );
}

interface CountProps {
  of: number;
  name: string;
  className: string;
  isBounded?: boolean;
}

function Count({ of, name, className, isBounded = false }: CountProps) {
  const text =
    isBounded && of >= VISITOR_COUNT_MAX ? `${formatNumber(VISITOR_COUNT_MAX - 1)}+` : formatNumber(of);
  return (
    <span className={`${CELL} ${of === 0 ? 'text-faint' : 'text-soft'} ${className}`}>
      <span className="sr-only">{name} </span>
      {text}
    </span>
  );
}
