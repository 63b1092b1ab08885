import type { MailPerson, ReceivedMail, ReceivedMailDetail } from '@foyer/protocol';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download, RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { exact } from '../../times.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { LogText } from '../../ui/rows/LogRow.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { useDecide } from './decisions.ts';
import { receivedMailQuery } from './mail-log-filter.ts';
import { reasonWords } from './reason-words.ts';
import { t } from './t.ts';

/** What a mail says, as plain text, why it is where it is, and what can be done. */
export function ReceivedDetail({ mail, actions }: { mail: ReceivedMail; actions?: ReactNode }) {
  const { data, error, refetch } = useQuery(receivedMailQuery(mail.id));
  if (!data || !('attempts' in data))
    return <Waiting error={error} retry={refetch} failed={t('failed')} height="h-24" />;
  return (
    <>
      <Facts mail={data} />
      <div className="flex flex-wrap gap-2">
        {actions}
        {data.ticket_id === null ? null : (
          <Link
            to="/inbox/tickets/$ticketId"
            params={{ ticketId: String(data.ticket_id) }}
            className={buttonLook('plain', true)}
          >
            {t('open_ticket')}
          </Link>
        )}
        {data.session_id === null ? null : (
          <Link
            to="/inbox/$sessionId"
            params={{ sessionId: data.session_id }}
            className={buttonLook('plain', true)}
          >
            {t('open_chat')}
          </Link>
        )}
        <ProcessAgain mail={data} />
        <Source mail={data} />
      </div>
      <Content mail={data} />
    </>
  );
}

const people = (list: readonly MailPerson[]): string =>
  list.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ');

function Facts({ mail }: { mail: ReceivedMailDetail }) {
  const { authentication, content } = mail;
  const facts: [string, string | null][] = [
    [t('from'), mail.from && people([mail.from])],
    [t('to'), content && people([...content.to, ...content.cc])],
    [t('mailbox'), mail.mailbox.address],
    [t('received'), exact(mail.received_utc)],
    [t('why'), mail.reason && reasonWords(mail.reason)],
    [t('detail'), mail.reason === 'same_mail' ? null : mail.detail],
    [t('suspended_for'), mail.suspended_for && reasonWords(mail.suspended_for)],
    [
      t('sender_check'),
      authentication &&
        t(authentication.aligned ? 'sender_proven' : 'sender_unproven', {
          spf: authentication.spf,
          dkim: authentication.dkim,
          dmarc: authentication.dmarc,
        }),
    ],
  ];
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-xs">
      {facts.map(([label, value]) =>
        value ? (
          <div key={label} className="contents">
            <dt className="text-soft">{label}</dt>
            <dd className="wrap-anywhere min-w-0">
              <bdi>{value}</bdi>
            </dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

function Content({ mail: { content, has_source } }: { mail: ReceivedMailDetail }) {
  if (!content) return <p className="text-soft text-xs">{t(has_source ? 'unreadable' : 'source_gone')}</p>;
  return (
    <>
      <LogText label={t('text')}>{content.text.trim() || t('no_text')}</LogText>
      {content.files.length > 0 ? (
        <p className="wrap-anywhere text-soft text-xs">
          {t('files')} <bdi>{content.files.map(({ name }) => name).join(', ')}</bdi>
        </p>
      ) : null}
      <details className="text-xs">
        <summary className="w-fit cursor-default rounded-md py-0.5 text-soft hover:text-text">
          {t('headers')}
        </summary>
        <LogText label="">{content.headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</LogText>
      </details>
    </>
  );
}

const isRepeatable = ({ outcome, ticket_id, session_id, has_source }: ReceivedMail): boolean =>
  has_source &&
  (['failed', 'rejected', 'ignored'].includes(outcome) ||
    (['ticket', 'reply'].includes(outcome) && ticket_id === null) ||
    (outcome === 'chat' && session_id === null));

const isAcceptable = ({ outcome, reason }: ReceivedMail): boolean =>
  (outcome === 'rejected' && reason === 'blocked_sender') ||
  (outcome === 'ignored' && reason === 'auto_reply');

/** For mails that aren't suspended: processes them again, or as if they were harmless. */
function ProcessAgain({ mail }: { mail: ReceivedMail }) {
  const { decide, isPending } = useDecide();
  if (!isRepeatable(mail)) return null;
  const action = isAcceptable(mail) ? 'accept' : 'process_again';
  return (
    <Button
      small
      icon={<RefreshCw aria-hidden className="size-4" />}
      busy={isPending}
      onClick={() => decide([mail], action)}
    >
      {t(action === 'accept' ? 'accept_anyway' : 'process_again')}
    </Button>
  );
}

function Source({ mail: { id, has_source } }: { mail: ReceivedMail }) {
  const admin = useMay('email');
  const download = useMutation({
    mutationFn: () => call('received_mails.source', { id }),
    // The answer is an attachment, so the page stays.
    onSuccess: ({ url }) => {
      const { pathname, search } = new URL(url);
      location.assign(pathname + search);
    },
    onError: (failure) => toast.error(t('download_failed'), failure),
  });
  if (!admin || !has_source) return null;
  return (
    <Button
      small
      look="quiet"
      icon={<Download aria-hidden className="size-4" />}
      busy={download.isPending}
      onClick={() => download.mutate()}
    >
      {t('download')}
    </Button>
  );
}
