import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMatchRoute, useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { call, callPage } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Face } from '../../../ui/Face.tsx';
import { SearchField } from '../../../ui/forms/SearchField.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { visitorName } from '../../../words.ts';
import { t } from '../t.ts';
import type { Person } from './person-queries.ts';

type Found = Pick<
  Person,
  'key' | 'name' | 'email' | 'event_count' | 'chat_count' | 'ticket_count' | 'last_seen_utc' | 'blocked_utc'
>;

const FOUND_MAX = 6;

/** Merges two visitors who are the same person: asks which other one, and explains the result. */
export function MergeDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const [other, setOther] = useState<Found>();
  const [isSwapped, setSwapped] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const matchRoute = useMatchRoute();
  const [gone, stays] = isSwapped ? [person, other] : [other, person];
  const form = useForm({
    initial: {},
    save: () => call('visitors.merge', { key: gone?.key ?? '', into_key: stays?.key ?? '' }),
    onSaved: async ({ key }) => {
      onClose();
      // Beside a chat or ticket, the agent stays there.
      const isOnPage = matchRoute({ to: '/visitors/$key' }) !== false;
      if (isOnPage && key !== person.key)
        await navigate({ to: '/visitors/$key', params: { key }, replace: true });
      for (const queryKey of [['visitors'], ['sessions'], ['tickets'], ['found']])
        void client.invalidateQueries({ queryKey });
      toast.success(t('merged'));
    },
  });
  return (
    <FormDialog
      title={t('merge_title')}
      onClose={onClose}
      form={form}
      action={t('merge_do')}
      failure={t('not_merged')}
      disabled={other === undefined}
      danger
    >
      {gone && stays ? (
        <>
          <Side title={t('merge_gone')} found={gone} />
          <Button
            small
            icon={<ArrowLeftRight aria-hidden className="size-4" />}
            onClick={() => setSwapped(!isSwapped)}
          >
            {t('merge_swap')}
          </Button>
          <Side title={t('merge_stays')} found={stays} />
          <p className="wrap-anywhere text-soft">
            {t('merge_detail', { gone: visitorName(gone), stays: visitorName(stays) })}
          </p>
          {gone.blocked_utc && !stays.blocked_utc ? <p>{t('merge_blocked')}</p> : null}
          <p className="font-medium">{t('merge_final')}</p>
        </>
      ) : (
        <Choose person={person} onChoose={setOther} />
      )}
    </FormDialog>
  );
}

function Choose({ person, onChoose }: { person: Person; onChoose: (found: Found) => void }) {
  const [q, setQ] = useState(person.email ?? person.name ?? '');
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.focus(), []);
  const { data, error, isFetching } = useQuery({
    queryKey: ['visitors', 'merge', q],
    queryFn: ({ signal }) => callPage('visitors.list', { q, limit: FOUND_MAX }, signal),
    enabled: q !== '',
  });
  const others = (data?.items ?? []).filter(({ key }) => key !== person.key);
  return (
    <>
      <p className="text-soft">{t('merge_choose', { name: visitorName(person) })}</p>
      <SearchField ref={box} label={t('search')} value={q} onChange={setQ} />
      <ul aria-label={t('visitors')} className="space-y-1">
        {others.map((found) => (
          <li key={found.key}>
            <button
              type="button"
              onClick={() => onChoose(found)}
              className="w-full rounded-lg border p-2 text-start hover:bg-hover"
            >
              <About found={found} />
            </button>
          </li>
        ))}
      </ul>
      {error ? <ErrorNote error={error} title={t('visitors_not_loaded')} /> : null}
      <p role="status" className="text-soft">
        {q !== '' && !isFetching && !error && others.length === 0 ? t('nobody_found') : ''}
      </p>
    </>
  );
}

const Side = ({ title, found }: { title: string; found: Found }) => (
  <section aria-label={title}>
    <h3 className="mb-1 font-medium text-soft text-xs">{title}</h3>
    <div className="rounded-lg border p-2">
      <About found={found} />
    </div>
  </section>
);

function About({ found }: { found: Found }) {
  const counts = [
    t('count_events', { count: found.event_count }),
    t('count_chats', { count: found.chat_count }),
    t('count_tickets', { count: found.ticket_count }),
  ];
  return (
    <span className="flex items-center gap-3">
      <Face kind="visitor" name={found.name} />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{visitorName(found)}</bdi>
        <bdi className="block truncate text-soft text-xs">
          {[...(found.name && found.email ? [found.email] : []), found.key].join(' · ')}
        </bdi>
        <span className="block text-soft text-xs">{counts.join(' · ')}</span>
      </span>
      <Ago utc={found.last_seen_utc} className="text-faint text-xs" />
    </span>
  );
}
