import type { ReactNode } from 'react';
import { Markdown } from '../../../markdown/Markdown.tsx';
import { exact, lengthOf } from '../../../times.ts';
import { Badge } from '../../../ui/States.tsx';
import { Ago, useNow } from '../../../ui/Time.tsx';
import { t } from '../t.ts';
import { Attributes } from './Attributes.tsx';
import { Devices } from './Devices.tsx';
import { Fold } from './Fold.tsx';
import { PageLink } from './PageLink.tsx';
import type { Person } from './person-queries.ts';

/** A person's data besides the history: the same beside a chat, a ticket and on their own page. */
export function PersonFacts({ person }: { person: Person }) {
  return (
    <>
      <Attributes person={person} />
      <SegmentsPart person={person} />
      <Devices person={person} />
      <ConsentsPart person={person} />
      <Fold name="facts" title={t('facts')} isClosed>
        <dl className="space-y-1">
          <Row name={t('fact_key')}>
            <code className="wrap-anywhere font-mono text-xs">{person.key}</code>
          </Row>
          <Row name={t('fact_first')}>
            <Ago words utc={person.first_seen_utc} />
          </Row>
          <Row name={t('fact_last')}>
            <Ago words utc={person.last_seen_utc} />
          </Row>
        </dl>
      </Fold>
    </>
  );
}

function SegmentsPart({ person }: { person: Person }) {
  if (person.segments.length === 0) return null;
  return (
    <Fold name="segments" title={t('fact_segments')}>
      <ul className="flex flex-wrap gap-1">
        {person.segments.map((segment) => (
          <li key={segment} className="max-w-full" title={segment}>
            <Badge>
              <bdi className="truncate">{segment}</bdi>
            </Badge>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** What they agreed to before a chat, in the wording of that time. */
function ConsentsPart({ person }: { person: Person }) {
  if (person.consents.length === 0) return null;
  return (
    <Fold name="consents" title={t('consents')}>
      <ul className="space-y-3">
        {person.consents.map((consent) => (
          <li key={consent.id} lang={consent.language} className="wrap-anywhere">
            <Markdown text={consent.wording} />
            <p className="text-faint text-xs">{t('consent_given', { when: exact(consent.agreed_utc) })}</p>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** The open page, if any. */
export function HereNow({ person }: { person: Person }) {
  const now = useNow();
  if (!person.here) return null;
  const { page_url, page_title, referrer, since_utc } = person.here;
  return (
    <div className="mb-3 rounded-lg bg-good-ground px-3 py-2">
      <p className="flex items-center gap-2 font-medium text-good-text text-xs">
        <span aria-hidden className="size-2 rounded-full bg-good-dot" />
        <span title={exact(since_utc)}>
          {t('here_now', { length: lengthOf(now - Date.parse(since_utc)) })}
        </span>
      </p>
      <PageLink url={page_url} title={page_title} />
      {referrer ? (
        <p className="wrap-anywhere text-soft text-xs">{t('came_from', { place: referrer })}</p>
      ) : null}
    </div>
  );
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex gap-3">
    <dt className="w-24 shrink-0 truncate text-soft" title={name}>
      {name}
    </dt>
    <dd className="min-w-0 flex-1">{children}</dd>
  </div>
);
