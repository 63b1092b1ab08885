import type { SentMail } from '@foyer/protocol';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { call } from '../../api.ts';
import { exact } from '../../times.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { LogRow } from '../../ui/rows/LogRow.tsx';
import { Badge } from '../../ui/States.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { LogList } from './LogList.tsx';
import { MailTitle } from './MailTitle.tsx';
import { type MailLogFilter, sentMailQuery, sentQuery } from './mail-log-filter.ts';
import { t } from './t.ts';

const TONES = {
  queued: 'plain',
  sent: 'good',
  refused: 'danger',
  failed: 'danger',
  bounced: 'danger',
} as const;

/** Every mail of the team to a customer, and whether it was sent. */
export function SentList({ filter }: { filter: MailLogFilter }) {
  return (
    <LogList
      list={useInfiniteQuery(sentQuery(filter))}
      kind="sent"
      filter={filter}
      icon={<Send />}
      row={(mail) => (
        <LogRow
          key={mail.id}
          title={
            <MailTitle
              name={mail.to[0]?.name ?? mail.to[0]?.address ?? t('nobody')}
              subject={mail.subject || t('no_subject')}
              note={t(`state_${mail.state}`)}
            />
          }
          note={mail.from}
          badge={
            <span className="max-sm:hidden">
              <Badge tone={TONES[mail.state]}>{t(`state_${mail.state}`)}</Badge>
            </span>
          }
          utc={mail.created_utc}
        >
          {() => <Detail mail={mail} />}
        </LogRow>
      )}
    />
  );
}

function Detail({ mail }: { mail: SentMail }) {
  const { data, error, refetch } = useQuery(sentMailQuery(mail.id));
  if (!data || !('attempts' in data))
    return <Waiting error={error} retry={refetch} failed={t('failed')} height="h-16" />;
  const people = [...data.to, ...data.cc, ...data.bcc].map(({ address }) => address).join(', ');
  return (
    <>
      <p className="wrap-anywhere text-xs">
        <span className="text-soft">{t('to')}</span> <bdi>{people}</bdi>
      </p>
      {data.attempts.length > 0 ? (
        <ol aria-label={t('attempts')} className="space-y-1 text-xs">
          {data.attempts.map((attempt) => (
            <li key={`${attempt.attempted_utc} ${attempt.outcome}`} className="wrap-anywhere">
              <span className="tabular text-soft">{exact(attempt.attempted_utc)}</span>
              {' · '}
              {t(`attempt_${attempt.outcome}`)}
              {attempt.answer ? (
                <>
                  {': '}
                  <bdi className="font-mono">{attempt.answer}</bdi>
                </>
              ) : null}
            </li>
          ))}
        </ol>
      ) : (
        <p className="text-soft text-xs">{t('no_attempts')}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Link
          to="/inbox/tickets/$ticketId"
          params={{ ticketId: String(mail.ticket_id) }}
          className={buttonLook('plain', true)}
        >
          {t('open_ticket')}
        </Link>
        {data.state === 'queued' || data.state === 'sent' ? null : <SendAgain mail={data} />}
      </div>
    </>
  );
}

function SendAgain({ mail: { id, ticket_id } }: { mail: SentMail }) {
  const client = useQueryClient();
  const again = useMutation({
    mutationFn: () => call('tickets.retry_mail', { ticket_id, reply_id: id }),
    onSuccess: () => {
      toast.success(t('sent_again'));
      return client.invalidateQueries({ queryKey: ['sent_mails'] });
    },
    onError: (failure) => toast.error(t('send_again_failed'), failure),
  });
  return (
    <Button small busy={again.isPending} onClick={() => again.mutate()}>
      {t('send_again')}
    </Button>
  );
}
