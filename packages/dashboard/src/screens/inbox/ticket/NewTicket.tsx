import { SUBJECT_MAX, TICKET_TEXT_MAX, VISITOR_NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { call } from '../../../api.ts';
import { useDesk, useMe } from '../../../desk/DeskContext.tsx';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { mailStatusQuery } from '../../../queries.ts';
import { CheckField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { visitorName } from '../../../words.ts';
import { MailLine } from '../delivery/MailLine.tsx';
import { t as tInbox } from '../t.ts';
import { CustomerEmail } from './CustomerEmail.tsx';
import { t } from './t.ts';

interface Asker {
  key: string;
  name: string | null;
  email: string | null;
}

interface NewTicketProps {
  /** The customer, if the dialog was opened for a known one. */
  asker?: Asker | undefined;
  onClose: () => void;
}

const canEmail = (email: string, asker: Asker | undefined): boolean => /\S@\S/.test(asker?.email ?? email);

/** The draft of a ticket. Once it is created, the dialog closes and the ticket opens in its queue. */
function useNewTicket({ asker, onClose }: NewTicketProps) {
  const { agent } = useMe();
  const desk = useDesk();
  const navigate = useNavigate();
  const form = useForm({
    initial: { email: '', name: '', subject: '', body: '', isMine: true, isSent: false },
    save: ({ subject, body, isMine, isSent, ...values }) =>
      call('tickets.create', {
        subject,
        body,
        requester: asker
          ? { key: asker.key }
          : { email: values.email.trim() || null, name: values.name.trim() || null },
        assignee_id: isMine ? agent.id : null,
        ...(isSent && canEmail(values.email, asker) ? { send: true } : {}),
      }),
    onSaved: (ticket, { isMine }) => {
      desk.takeTicket(ticket);
      onClose();
      void navigate({
        to: '/inbox/tickets/$ticketId',
        params: { ticketId: String(ticket.id) },
        search: { queue: isMine ? 'mine' : 'unassigned' },
      });
    },
  });
  const { subject, body, email, name } = form.values;
  const isWhole = [subject, body, asker ? asker.key : email.trim() || name].every(
    (text) => text.trim() !== '',
  );
  return { form, isWhole };
}

/** A ticket for a request made elsewhere: by phone, at the counter, in an email to a colleague. */
export function NewTicket({ asker, onClose }: NewTicketProps) {
  const { form, isWhole } = useNewTicket({ asker, onClose });
  const { email, name } = form.values;
  const { data: status } = useQuery(mailStatusQuery);
  const canSend = status?.sends_mail === true && canEmail(email, asker);
  const isSent = canSend && form.values.isSent;
  const subject = useRef<HTMLInputElement>(null);
  return (
    <FormDialog
      title={asker ? t('new_ticket_for', { name: visitorName(asker) }) : tInbox('new_ticket')}
      onClose={onClose}
      form={form}
      action={tInbox('create_ticket')}
      failure={tInbox('create_failed')}
      disabled={!isWhole}
    >
      {asker ? null : (
        <>
          <CustomerEmail
            {...form.text('email', 'requester.email')}
            onChoose={({ email, name }) => {
              form.set({ email, name: name ?? '' });
              subject.current?.focus();
            }}
          />
          <TextField
            label={t('customer_name')}
            autoComplete="off"
            maxLength={VISITOR_NAME_MAX}
            {...form.text('name', 'requester.name')}
          />
        </>
      )}
      <TextField
        ref={subject}
        label={tInbox('subject')}
        autoFocus={asker !== undefined}
        autoComplete="off"
        maxLength={SUBJECT_MAX}
        {...form.text('subject')}
      />
      <TextArea
        label={t('first_message')}
        hint={isSent ? t('first_message_sent') : t('first_message_hint')}
        rows={5}
        maxLength={TICKET_TEXT_MAX}
        {...form.text('body')}
      />
      <CheckField label={t('send_it')} disabled={!canSend} {...form.checkbox('isSent')} />
      <CheckField label={t('assign_me')} {...form.checkbox('isMine')} />
      <MailNote asker={asker ?? { key: '', email: email.trim() || null, name: name.trim() || null }} />
    </FormDialog>
  );
}

/** How the customer will receive replies. Its space is reserved from the beginning, so nothing moves. */
function MailNote({ asker }: { asker: Asker }) {
  const { data } = useQuery(mailStatusQuery);
  const isTyping = asker.email !== null && !/\S@\S/.test(asker.email);
  return (
    <div className="min-h-8">
      {data && !isTyping && visitorName(asker) !== '' ? (
        <MailLine
          goesTo={data.sends_mail ? asker.email : null}
          sendsMail={data.sends_mail}
          name={visitorName(asker)}
        />
      ) : null}
    </div>
  );
}
