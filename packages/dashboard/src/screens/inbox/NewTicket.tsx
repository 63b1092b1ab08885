import type { InputOf } from '@foyer/protocol';
import { SUBJECT_MAX, TICKET_TEXT_MAX, VISITOR_NAME_MAX } from '@foyer/protocol/bounds';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useDesk, useMe } from '../../desk/DeskContext.tsx';
import { CheckField, TextArea, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { visitorName } from '../../words.ts';
import { t } from './t.ts';

interface Asker {
  key: string;
  name: string | null;
  email: string | null;
}

interface NewTicketProps {
  /** Who asks, where that is known. */
  asker?: Asker | undefined;
  onClose: () => void;
}

/** A ticket of what somebody has asked elsewhere: by phone, at the counter, in a mail to a colleague. */
export function NewTicket({ asker, onClose }: NewTicketProps) {
  const { agent } = useMe();
  const desk = useDesk();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [subject, setSubject] = useState('');
  const [body, setBody] = useState('');
  const [isMine, setMine] = useState(true);
  const requester: InputOf<'tickets.create'>['requester'] = asker
    ? { key: asker.key }
    : { email: email.trim() || null, name: name.trim() || null };
  const make = useMutation({
    mutationFn: () =>
      call('tickets.create', { subject, body, requester, assignee_id: isMine ? agent.id : null }),
    onSuccess: (ticket) => {
      desk.takeTicket(ticket);
      onClose();
      void navigate({
        to: '/inbox/tickets/$ticketId',
        params: { ticketId: String(ticket.id) },
        search: { queue: isMine ? 'mine' : 'unassigned' },
      });
    },
  });
  const fault = (path: string): string | undefined =>
    make.error instanceof ApiError ? make.error.issue(path) : undefined;
  const isWhole = [subject, body, asker ? asker.key : email.trim() || name].every(
    (text) => text.trim() !== '',
  );
  return (
    <FormDialog
      title={asker ? t('new_ticket_of', { name: visitorName(asker) }) : t('new_ticket')}
      onClose={onClose}
      save={make}
      fields={['subject', 'body', 'requester.email', 'requester.name']}
      action={t('new_ticket_do')}
      failure={t('ticket_not_made')}
      disabled={!isWhole}
    >
      {asker ? null : (
        <>
          <TextField
            label={t('asker_email')}
            type="email"
            autoFocus
            autoComplete="off"
            hint={t('asker_email_hint')}
            error={fault('requester.email')}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
          <TextField
            label={t('asker_name')}
            autoComplete="off"
            maxLength={VISITOR_NAME_MAX}
            error={fault('requester.name')}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </>
      )}
      <TextField
        label={t('subject')}
        autoFocus={asker !== undefined}
        autoComplete="off"
        maxLength={SUBJECT_MAX}
        error={fault('subject')}
        value={subject}
        onChange={({ target }) => setSubject(target.value)}
      />
      <TextArea
        label={t('asked')}
        hint={t('asked_hint')}
        rows={5}
        maxLength={TICKET_TEXT_MAX}
        error={fault('body')}
        value={body}
        onChange={({ target }) => setBody(target.value)}
      />
      <CheckField
        label={t('assign_me')}
        checked={isMine}
        onChange={({ target }) => setMine(target.checked)}
      />
    </FormDialog>
  );
}
