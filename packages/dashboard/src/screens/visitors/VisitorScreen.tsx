import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { UserX } from 'lucide-react';
import { ApiError } from '../../api.ts';
import { Page } from '../../ui/Page.tsx';
import { Empty } from '../../ui/States.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { visitorName } from '../../words.ts';
import { PersonFields } from '../fields/PersonFields.tsx';
import { Timeline } from './person/History.tsx';
import { Identity } from './person/Identity.tsx';
import { Notes } from './person/Notes.tsx';
import { PersonMenu } from './person/PersonMenu.tsx';
import { HereNow, PersonFacts } from './person/PersonParts.tsx';
import { type Person, profileQuery } from './person/person-queries.ts';
import { t } from './t.ts';

const route = getRouteApi('/desk/visitors/$key');

/** One visitor: identity and history. */
export function VisitorScreen() {
  const { key } = route.useParams();
  const { data, error, refetch } = useQuery(profileQuery(key));
  if (data) return <Profile key={key} person={data} />;
  if (error instanceof ApiError && error.code === 'not_found') {
    return (
      <Empty icon={<UserX />} title={t('no_visitor')}>
        {t('no_visitor_hint')}
      </Empty>
    );
  }
  return (
    <Page place={`visitor ${key}`} title={t('visitor')}>
      <Waiting error={error} retry={refetch} failed={t('visitor_not_loaded')} height="h-40" />
    </Page>
  );
}

const Profile = ({ person }: { person: Person }) => (
  <Page
    wide
    place={`visitor ${person.key}`}
    title={visitorName(person)}
    back={{ to: '/visitors', label: t('all_visitors') }}
    actions={<PersonMenu person={person} />}
  >
    <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
      <section aria-label={t('who')} className="-mt-5 min-w-0 lg:col-start-2">
        <h2 className="sr-only">{t('who')}</h2>
        <Identity person={person} />
        <HereNow person={person} />
        <PersonFields person={person} />
        <Notes person={person} />
      </section>
      <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
        <Timeline person={person} />
      </div>
      <section aria-label={t('known')} className="min-w-0 lg:col-start-2 lg:-mt-6">
        <h2 className="sr-only">{t('known')}</h2>
        <PersonFacts person={person} />
      </section>
    </div>
  </Page>
);
