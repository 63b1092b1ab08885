import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Face } from '../../../ui/Face.tsx';
import { Bone } from '../../../ui/States.tsx';
import { visitorName } from '../../../words.ts';
import { ChatFields } from '../../fields/ChatFields.tsx';
import { PersonFields } from '../../fields/PersonFields.tsx';
import { t } from '../t.ts';
import { FoldedHistoryPart, HistoryPart } from './History.tsx';
import { Identity } from './Identity.tsx';
import { Notes } from './Notes.tsx';
import { PersonMenu } from './PersonMenu.tsx';
import { HereNow, PersonFacts } from './PersonParts.tsx';
import { profileQuery } from './person-queries.ts';

interface PersonPanelProps {
  /** As in the chat or ticket; without a key, the visitor was erased. */
  visitor: { key: string | null; name: string | null; email: string | null };
  /** Whether the chat was started with the site's proof; unset for tickets. */
  isProven?: boolean;
  /** The chat or ticket beside it, which the history leaves out. */
  beside: { session_id?: string; ticket_id?: number };
  /** What belongs to the chat or ticket rather than to the person. */
  children?: ReactNode;
}

/** The visitor of a chat or ticket, loaded after it so that it delays neither. */
export function PersonPanel({ visitor, isProven, beside, children }: PersonPanelProps) {
  const { key } = visitor;
  const parts = (
    <>
      {children}
      {beside.session_id ? <ChatFields sessionId={beside.session_id} /> : null}
    </>
  );
  return (
    <div className="px-5 pb-8">
      {key === null ? (
        <Outline visitor={visitor}>{t('erased_person')}</Outline>
      ) : (
        <Known key={key} personKey={key} visitor={visitor} isProven={isProven} beside={beside}>
          {parts}
        </Known>
      )}
      {key === null ? parts : null}
    </div>
  );
}

function Outline({ visitor, children }: Pick<PersonPanelProps, 'visitor' | 'children'>) {
  return (
    <div className="flex items-start gap-3 pt-5 pb-4">
      <Face kind="visitor" name={visitor.name} size="large" />
      <div className="min-w-0 flex-1">
        <h2 className="wrap-anywhere font-semibold text-base">
          <bdi>{visitorName(visitor)}</bdi>
        </h2>
        <div className="text-soft text-xs">{children}</div>
      </div>
    </div>
  );
}

type KnownProps = Omit<PersonPanelProps, 'isProven'> & { personKey: string; isProven: boolean | undefined };

function Known({ personKey, visitor, isProven, beside, children }: KnownProps) {
  const { data: person, error, refetch } = useQuery(profileQuery(personKey));
  if (!person) {
    return (
      <>
        <Outline visitor={visitor}>
          {error ? null : <Bone className="late pulse-soft mt-2 h-3 w-32" />}
        </Outline>
        {error ? (
          <ErrorNote error={error} title={t('visitor_not_loaded')} onRetry={() => void refetch()} />
        ) : null}
        {children}
      </>
    );
  }
  return (
    <>
      <div className="flex items-start gap-1">
        <div className="min-w-0 flex-1">
          <h2 className="sr-only">{visitorName(person)}</h2>
          <Identity person={person} isProven={isProven} />
        </div>
        <div className="-me-2 pt-4">
          <PersonMenu person={person} />
        </div>
      </div>
      <HereNow person={person} />
      {children}
      <PersonFields person={person} />
      <Notes person={person} />
      <PersonFacts person={person} />
      <HistoryPart person={person} kind="event" />
      <FoldedHistoryPart person={person} kind="page" />
      <HistoryPart person={person} kind="chat" except={beside.session_id} />
      <HistoryPart person={person} kind="ticket" except={beside.ticket_id?.toString()} />
      <Link
        to="/visitors/$key"
        params={{ key: person.key }}
        className="mt-3 inline-block font-medium text-accent-text hover:underline"
      >
        {t('whole_profile')}
      </Link>
    </>
  );
}
