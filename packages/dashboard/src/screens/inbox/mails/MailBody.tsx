import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api.ts';
import { useMay } from '../../../desk/DeskContext.tsx';
import { Button } from '../../../ui/Button.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { MailHtml } from './MailHtml.tsx';
import { t } from './t.ts';
import { type MailOf, useMail } from './use-mail.ts';

/** A message's text as the mail has it, with what it quotes collapsed: formatted if it has formatting, else plain. */
export function MailBody({ children, ...of }: MailOf & { children: ReactNode }) {
  const mail = useMail(of);
  const [chosen, setChosen] = useState<boolean>();
  if (!mail) return children;
  const canFormat = mail.has_html && !mail.is_outgoing;
  const isFormatted = canFormat && (chosen ?? mail.is_rich);
  return (
    <>
      {isFormatted ? (
        <MailHtml ticketId={of.ticketId} mailId={mail.id} fallback={children} />
      ) : (
        <>
          {children}
          <Quoted text={mail.quoted} />
        </>
      )}
      {canFormat ? (
        <Button small look="quiet" className="-ms-3 mt-1 me-2" onClick={() => setChosen(!isFormatted)}>
          {t(isFormatted ? 'show_plain' : 'show_formatted')}
        </Button>
      ) : null}
      <LogLink ticketId={of.ticketId} isOutgoing={mail.is_outgoing} />
      {of.replyId !== null && !mail.is_outgoing ? (
        <Split ticketId={of.ticketId} replyId={of.replyId} />
      ) : null}
    </>
  );
}

function Quoted({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <details className="mt-2 text-soft text-xs">
      <summary className="cursor-pointer py-1">{t('quoted')}</summary>
      <p className="wrap-anywhere max-h-96 overflow-y-auto whitespace-pre-wrap border-s-2 ps-3" dir="auto">
        {text}
      </p>
    </details>
  );
}

/** For admins: the entries of the ticket's mails in the mail log. */
function LogLink({ ticketId, isOutgoing }: { ticketId: number; isOutgoing: boolean }) {
  const admin = useMay('email');
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
