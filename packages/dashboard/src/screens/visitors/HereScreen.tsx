import type { VisitorHere } from '@foyer/protocol';
import { HERE_LISTED_MAX } from '@foyer/protocol/values/bounds';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BadgeCheck, Eye, MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { useMay, useMe } from '../../desk/DeskContext.tsx';
import { formatNumber } from '../../language.ts';
import { lengthOf } from '../../times.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { Face } from '../../ui/Face.tsx';
import { Page } from '../../ui/Page.tsx';
import { PagedList } from '../../ui/rows/PagedList.tsx';
import { Badge, Empty } from '../../ui/States.tsx';
import { useNow } from '../../ui/Time.tsx';
import { statusWord, visitorName } from '../../words.ts';
import { deviceName } from '../settings/account/device-name.ts';
import { CountryName } from './CountryName.tsx';
import { PageLink } from './person/PageLink.tsx';
import { SpeakFirst } from './SpeakFirst.tsx';
import { t } from './t.ts';
import { VisitorTabs } from './VisitorTabs.tsx';
import { hereQuery } from './visitor-queries.ts';

/** The visitors with an open page, updated live. */
export function HereScreen() {
  const [speakingTo, setSpeakingTo] = useState<VisitorHere['visitor']>();
  const list = useInfiniteQuery(hereQuery);
  const people = list.data?.pages.flatMap((page) => page.items) ?? [];
  const spokenTo = people.find(({ visitor }) => visitor.key === speakingTo?.key);
  return (
    <Page wide place="here" title={t('visitors')} intro={t('here_intro')} tabs={<VisitorTabs />}>
      <PagedList
        list={list}
        count={people.length}
        label={t('tab_here')}
        failed={t('visitors_not_loaded')}
        bones={{ rows: 6, face: true }}
        empty={<Nobody />}
      >
        {people.map((one) => (
          <li key={one.visitor.key} className="flex min-h-14 items-center gap-3 px-4 py-2">
            <Row person={one} onSpeak={() => setSpeakingTo(one.visitor)} />
          </li>
        ))}
      </PagedList>
      {people.length === HERE_LISTED_MAX ? (
        <p className="mt-4 text-center text-soft">
          {t('here_newest', { count: formatNumber(HERE_LISTED_MAX) })}
        </p>
      ) : null}
      {speakingTo ? (
        <SpeakFirst
          visitor={speakingTo}
          isConnected={spokenTo?.has_chat ?? false}
          isGone={!spokenTo}
          onClose={() => setSpeakingTo(undefined)}
        />
      ) : null}
    </Page>
  );
}

function Nobody() {
  const { site } = useMe();
  const isAdmin = useMay('site');
  const settings = (
    <Link to="/settings/install" className={buttonLook()}>
      {t('live_settings')}
    </Link>
  );
  return (
    <Empty
      icon={<Eye />}
      title={t('nobody_here')}
      action={isAdmin && !site.live_visitors ? settings : undefined}
    >
      {site.live_visitors ? t('nobody_here_hint') : t('live_off_hint')}
    </Empty>
  );
}

function Row({ person, onSpeak }: { person: VisitorHere; onSpeak: () => void }) {
  const { visitor, chat } = person;
  const mayAnswer = useMay('answer');
  return (
    <>
      <Face kind="visitor" name={visitor.name} presence="online" />
      <div className="grid min-w-0 flex-1 gap-x-4 md:grid-cols-[2fr_3fr]">
        <Who person={person} />
        <Where person={person} />
      </div>
      {/* A fixed width, so that the pages are aligned. */}
      <div className="flex min-w-0 justify-end sm:w-28 sm:shrink-0">
        {chat ? (
          <Link
            to="/inbox/$sessionId"
            params={{ sessionId: chat.session_id }}
            search={{}}
            className="truncate text-accent-text hover:underline"
          >
            {chat.agent?.name ?? statusWord(chat.status)}
          </Link>
        ) : person.blocked || !mayAnswer ? null : (
          <Button
            small
            className="shrink-0 max-sm:w-10 max-sm:px-0"
            aria-label={t('speak_to', { name: visitorName(visitor) })}
            icon={<MessageSquarePlus aria-hidden className="size-4" />}
            onClick={onSpeak}
          >
            <span className="max-sm:hidden">{t('speak')}</span>
          </Button>
        )}
      </div>
    </>
  );
}

/** Name and device, and how long the visitor has been here. */
function Who({ person }: { person: VisitorHere }) {
  const { visitor } = person;
  const now = useNow();
  return (
    <div className="min-w-0">
      <p className="flex min-w-0 items-center gap-1.5">
        {person.recorded ? (
          <Link
            to="/visitors/$key"
            params={{ key: visitor.key }}
            className="truncate font-medium hover:underline"
          >
            <bdi>{visitorName(visitor)}</bdi>
          </Link>
        ) : (
          <bdi className="truncate font-medium">{visitorName(visitor)}</bdi>
        )}
        {person.verified ? (
          <span role="img" aria-label={t('is_verified')} title={t('is_verified')} className="shrink-0">
            <BadgeCheck aria-hidden className="size-4 text-good-text" />
          </span>
        ) : null}
        {person.blocked ? <Badge tone="danger">{t('is_blocked')}</Badge> : null}
      </p>
      <p className="truncate text-soft text-xs">
        {t('here_now', { length: lengthOf(now - Date.parse(person.since_utc)) })}
        {person.country ? (
          <>
            {' · '}
            <CountryName code={person.country} />
          </>
        ) : null}
        {person.user_agent ? ` · ${deviceName(person.user_agent)}` : null}
      </p>
    </div>
  );
}

/** Without the parts that all addresses share. */
const shortAddress = (address: string): string =>
  address.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, '');

/** The visitor's current page, and where they came from. */
function Where({ person }: { person: VisitorHere }) {
  const now = useNow();
  return (
    <div className="min-w-0">
      <p className="flex min-w-0 items-center gap-2">
        <PageLink url={person.page_url} title={person.page_title} />
        {person.tabs > 1 ? <Badge>{t('tabs', { count: person.tabs })}</Badge> : null}
      </p>
      <p className="truncate text-soft text-xs">
        {[
          t('page_for', { length: lengthOf(now - Date.parse(person.page_since_utc)) }),
          ...(person.pages !== null && person.pages > 1 ? [t('count_pages', { count: person.pages })] : []),
          ...(person.referrer ? [t('came_from', { place: shortAddress(person.referrer) })] : []),
        ].join(' · ')}
      </p>
    </div>
  );
}
