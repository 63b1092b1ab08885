import type { SessionDetail } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import { BadgeCheck, ExternalLink, Mail, ShieldQuestion } from 'lucide-react';
import { safeHref } from '../../markdown/inline.ts';
import { exact } from '../../times.ts';
import { Face } from '../../ui/Face.tsx';
import { Ago } from '../../ui/Time.tsx';
import { plainText, statusWord, valueText, visitorName } from '../../words.ts';
import { Fact, Nothing, Part } from './PaneParts.tsx';
import { Stars } from './Stars.tsx';
import { useSetTags } from './session-actions.ts';
import { TagEditor } from './TagEditor.tsx';
import { t } from './t.ts';

/** Who the visitor is and what is known of them. */
export function PersonPane({ session }: { session: SessionDetail }) {
  const { visitor, visitor_profile: profile } = session;
  const setTags = useSetTags(session);
  const attributes = Object.entries(profile.attributes);
  return (
    <div className="px-5 pb-8">
      <Identity session={session} />
      {session.contact_email ? (
        <Part title={t('left_email')}>
          <a
            href={`mailto:${session.contact_email}`}
            className="wrap-anywhere flex items-start gap-2 text-accent-text hover:underline"
          >
            <Mail aria-hidden className="mt-0.5 size-4 shrink-0" />
            {session.contact_email}
          </a>
          {session.ticket_id ? (
            <Link
              to="/inbox/tickets/$ticketId"
              params={{ ticketId: String(session.ticket_id) }}
              search={true}
              className="mt-1 inline-block text-accent-text hover:underline"
            >
              {t('kept_as', { id: session.ticket_id })}
            </Link>
          ) : null}
        </Part>
      ) : null}
      {session.feedback ? (
        <Part title={t('rating')}>
          <Stars rating={session.feedback.rating} />
          {session.feedback.comment ? (
            <p className="wrap-anywhere mt-1" dir="auto">
              “{session.feedback.comment}”
            </p>
          ) : null}
        </Part>
      ) : null}
      <Part title={t('tags')}>
        <TagEditor tags={session.tags} onChange={(tags) => setTags.mutate(tags)} />
      </Part>
      <Part title={t('about')}>
        <dl className="space-y-1">
          {session.page_url ? (
            <Fact name={t('fact_page')}>
              <PageLink url={session.page_url} />
            </Fact>
          ) : null}
          <Fact name={t('fact_first')}>
            <Ago words utc={profile.first_seen_utc} />
          </Fact>
          <Fact name={t('fact_last')}>
            <Ago words utc={profile.last_seen_utc} />
          </Fact>
          {attributes.map(([name, value]) => (
            <Fact key={name} name={name}>
              {valueText(value)}
            </Fact>
          ))}
        </dl>
        {visitor.key ? (
          <Link
            to="/visitors/$key"
            params={{ key: visitor.key }}
            className="mt-2 inline-block font-medium text-accent-text hover:underline"
          >
            {t('profile')}
          </Link>
        ) : null}
      </Part>
      <Part title={t('events')}>
        {profile.recent_events.length === 0 ? <Nothing>{t('events_none')}</Nothing> : null}
        <ul className="space-y-1">
          {profile.recent_events.slice(0, 8).map((event) => (
            <li key={event.created_utc + event.name} className="flex items-baseline gap-3">
              <span className="min-w-0 flex-1 truncate" title={JSON.stringify(event.properties)}>
                {event.name}
              </span>
              <Ago utc={event.created_utc} className="text-faint text-xs" />
            </li>
          ))}
        </ul>
      </Part>
      <Part title={t('earlier_chats')}>
        {profile.earlier_sessions.length === 0 ? <Nothing>{t('first_chat')}</Nothing> : null}
        <ul className="-mx-2">
          {profile.earlier_sessions.map((earlier) => (
            <li key={earlier.session_id}>
              <Link
                to="/inbox/$sessionId"
                params={{ sessionId: earlier.session_id }}
                search={true}
                className="block rounded-lg px-2 py-1.5 hover:bg-hover"
              >
                <span className="block truncate">
                  <bdi>{plainText(earlier.last_text) || t('no_message')}</bdi>
                </span>
                <span className="flex gap-1 text-faint text-xs" title={exact(earlier.started_utc)}>
                  {statusWord(earlier.status)} · <Ago words utc={earlier.started_utc} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

function Identity({ session }: { session: SessionDetail }) {
  const { visitor } = session;
  return (
    <div className="flex items-start gap-3 pt-5 pb-4">
      <Face kind="visitor" name={visitor.name} size="large" />
      <div className="min-w-0 flex-1">
        <h3 className="wrap-anywhere font-semibold text-base">
          <bdi>{visitorName(visitor)}</bdi>
        </h3>
        {visitor.email && visitor.name ? <p className="wrap-anywhere text-soft">{visitor.email}</p> : null}
        <p className="mt-1 flex items-start gap-1.5 text-soft text-xs">
          {visitor.verified ? (
            <>
              <BadgeCheck aria-hidden className="size-4 shrink-0 text-good-text" />
              {t('verified')}
            </>
          ) : (
            <>
              <ShieldQuestion aria-hidden className="size-4 shrink-0" />
              {t('unverified')}
            </>
          )}
        </p>
      </div>
    </div>
  );
}

function PageLink({ url }: { url: string }) {
  const href = safeHref(url);
  const short = url.replace(/^https?:\/\//, '');
  if (!href || href.startsWith('/')) return short;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      title={url}
      className="flex items-center gap-1 text-accent-text hover:underline"
    >
      <span className="truncate">{short}</span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
    </a>
  );
}
