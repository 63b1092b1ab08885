import type { SessionDetail } from '@foyer/protocol';
import { Link } from '@tanstack/react-router';
import { Mail } from 'lucide-react';
import { Suspense } from 'react';
import { useMay } from '../../desk/DeskContext.tsx';
import { lazyPart } from '../../lazy-part.ts';
import { PageLink } from '../visitors/person/PageLink.tsx';
import { Stars } from './chat/Stars.tsx';
import { useSetTags } from './chat/session-actions.ts';
import { LazyPersonPanel } from './LazyPersonPanel.tsx';
import { Part } from './PaneParts.tsx';
import { TagEditor } from './TagEditor.tsx';
import { t } from './t.ts';

/** Only sites with SLA policies load it. */
const SlaPart = lazyPart(() => import('./sla/SlaPart.tsx'), 'SlaPart');

/** The visitor's profile, and what belongs to this chat. */
export function PersonPane({ session }: { session: SessionDetail }) {
  const { visitor, session_id, page_url } = session;
  const setTags = useSetTags(session);
  const mayAnswer = useMay('answer');
  return (
    <LazyPersonPanel visitor={visitor} isProven={visitor.verified} beside={{ session_id }}>
      {session.contact_email ? <LeftEmail session={session} email={session.contact_email} /> : null}
      {session.sla ? (
        <Suspense>
          <SlaPart sla={session.sla} />
        </Suspense>
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
        <fieldset disabled={!mayAnswer}>
          <TagEditor tags={session.tags} onChange={(tags) => setTags.mutate(tags)} />
        </fieldset>
      </Part>
      {page_url ? (
        <Part title={t('fact_page')}>
          <PageLink url={page_url} />
        </Part>
      ) : null}
    </LazyPersonPanel>
  );
}

function LeftEmail({ session, email }: { session: SessionDetail; email: string }) {
  return (
    <Part title={t('left_email')}>
      <a
        href={`mailto:${email}`}
        className="wrap-anywhere flex items-start gap-2 text-accent-text hover:underline"
      >
        <Mail aria-hidden className="mt-0.5 size-4 shrink-0" />
        {email}
      </a>
      {session.ticket_id ? (
        <Link
          to="/inbox/tickets/$ticketId"
          params={{ ticketId: String(session.ticket_id) }}
          search={true}
          className="mt-1 inline-block text-accent-text hover:underline"
        >
          {t('ticket_number', { id: String(session.ticket_id) })}
        </Link>
      ) : null}
    </Part>
  );
}
