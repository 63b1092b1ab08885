import type { MailPerson, TicketMailEntry } from '@foyer/protocol';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ShieldCheck, ShieldQuestion } from 'lucide-react';
import { call } from '../../../api.ts';
import { useIsAdmin } from '../../../desk/DeskContext.tsx';
import { ticketMailsQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Tip } from '../../../ui/Tip.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { peopleText } from './people.ts';
import { t } from './t.ts';

interface MailOf {
  ticketId: number;
  /** Null: the ticket's description. */
  replyId: number | null;
}

function useMail({ ticketId, replyId }: MailOf): TicketMailEntry | undefined {
  const { data } = useQuery(ticketMailsQuery(ticketId));
  return data?.mails.find(({ reply_id }) => reply_id === replyId);
}

/** Above a message's text: who it is from and to, and whether the sender is proven. */
export function MailHead(of: MailOf) {
  const mail = useMail(of);
  if (!mail) return null;
  const { from, to, cc, bcc, is_outgoing, authentication } = mail;
  return (
    <div className="mb-2 space-y-0.5 border-b border-dashed pb-2 text-soft text-xs">
      {from && !is_outgoing ? <People label={t('from')} people={[from]} /> : null}
      <People label={t('to')} people={to} />
      <People label={t('cc')} people={cc} />
      <People label={t('bcc')} people={bcc} />
      {authentication && !is_outgoing ? <Proof {...authentication} /> : null}
    </div>
  );
}

function People({ label, people }: { label: string; people: readonly MailPerson[] }) {
  if (people.length === 0) return null;
  return (
    <p className="wrap-anywhere">
      <span className="text-faint">{label}</span> <bdi>{peopleText(people)}</bdi>
    </p>
  );
}

function Proof({ aligned, spf, dkim, dmarc }: NonNullable<TicketMailEntry['authentication']>) {
  const Icon = aligned ? ShieldCheck : ShieldQuestion;
  return (
    <Tip text={t(aligned ? 'verified_why' : 'not_verified_why', { spf, dkim, dmarc })}>
      <p className="inline-flex items-center gap-1">
        <Icon aria-hidden className="size-3.5" />
        {t(aligned ? 'verified' : 'not_verified')}
      </p>
    </Tip>
  );
}

/** Below a message's text: what it quotes, and moving it into a ticket of its own. */
export function MailFoot(of: MailOf) {
  const mail = useMail(of);
  if (!mail) return null;
  return (
    <>
      {mail.quoted ? (
        <details className="mt-2 text-soft text-xs">
          <summary className="cursor-pointer py-1">{t('quoted')}</summary>
          <p
            className="wrap-anywhere max-h-96 overflow-y-auto whitespace-pre-wrap border-s-2 ps-3"
            dir="auto"
          >
            {mail.quoted}
          </p>
        </details>
      ) : null}
      <LogLink ticketId={of.ticketId} isOutgoing={mail.is_outgoing} />
      {of.replyId !== null && !mail.is_outgoing ? (
        <Split ticketId={of.ticketId} replyId={of.replyId} />
      ) : null}
    </>
  );
}

/** For admins: the entries of the ticket's mails in the mail log. */
function LogLink({ ticketId, isOutgoing }: { ticketId: number; isOutgoing: boolean }) {
  const admin = useIsAdmin();
  if (!admin) return null;
  return (
    <Link
      to="/settings/mail-log"
      search={{ view: isOutgoing ? 'sent' : 'received', ticket: ticketId }}
      className="mt-1 me-2 inline-block py-1 text-soft text-xs underline-offset-2 hover:underline"
    >
      {t('log')}
    </Link>
  );
}

function Split({ ticketId, replyId }: { ticketId: number; replyId: number }) {
  const navigate = useNavigate();
  const split = useMutation({
    mutationFn: () => call('tickets.split', { ticket_id: ticketId, reply_id: replyId }),
    onSuccess: ({ id }) =>
      navigate({ to: '/inbox/tickets/$ticketId', params: { ticketId: String(id) }, search: true }),
    onError: (failure) => toast.error(t('split_failed'), failure),
  });
  return (
    <Button small look="quiet" className="-ms-3 mt-1" busy={split.isPending} onClick={() => split.mutate()}>
      {t('split')}
    </Button>
  );
}
