import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../../api.ts';
import { ticketQuery } from '../../../queries.ts';
import { Confirm } from '../../../ui/dialogs/Dialog.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import type { Redactable } from './RedactButton.tsx';
import { t } from './t.ts';

const SHOWN_CHARS = 200;

interface RedactDialogProps {
  what: Redactable;
  /** The selected part of the message, or nothing. */
  selected: string;
  onClose: () => void;
}

interface Choice {
  key: string;
  label: ReactNode;
  input: { text?: string; attachment_id?: number };
}

function choicesOf({ files }: Redactable, selected: string): Choice[] {
  const part = selected.length > SHOWN_CHARS ? `${selected.slice(0, SHOWN_CHARS)}…` : selected;
  const message = files.length > 0 ? t('message_files', { count: files.length }) : t('message');
  return [
    ...(selected === ''
      ? []
      : [{ key: 'part', label: t.rich('part', { text: <bdi>{part}</bdi> }), input: { text: selected } }]),
    { key: 'message', label: message, input: {} },
    ...files.map(({ id, name }) => ({
      key: `file ${id}`,
      label: t.rich('file', { name: <bdi>{name}</bdi> }),
      input: { attachment_id: id },
    })),
  ];
}

interface ChoicesProps {
  choices: readonly Choice[];
  chosen: string | undefined;
  onChange: (key: string) => void;
}

/** The parts to choose from; a single one is only named. */
function Choices({ choices, chosen, onChange }: ChoicesProps) {
  const [only, ...others] = choices;
  if (others.length === 0) return <p className="wrap-anywhere mb-2 font-medium text-text">{only?.label}</p>;
  return (
    <fieldset className="mb-3 flex flex-col gap-1 text-text">
      <legend className="sr-only">{t('question')}</legend>
      {choices.map(({ key, label }) => (
        <label key={key} className="flex min-h-6 items-start gap-2 py-1">
          <input
            type="radio"
            name="redaction"
            className="mt-1 accent-accent"
            checked={chosen === key}
            onChange={() => onChange(key)}
          />
          <span className="wrap-anywhere min-w-0">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Asks what is to be redacted, and says what happens, before it can't be undone. */
export function RedactDialog({ what, selected, onClose }: RedactDialogProps) {
  const client = useQueryClient();
  const choices = choicesOf(what, selected);
  const [chosen, setChosen] = useState(choices[0]?.key);
  const redact = useMutation({
    mutationFn: () =>
      call('redactions.create', { ...what.of, ...choices.find(({ key }) => key === chosen)?.input }),
    onSuccess: ({ places, ticket_id }) => {
      void client.invalidateQueries({ queryKey: ['ticket_chat'] });
      if (ticket_id !== null) {
        void client.invalidateQueries({ queryKey: ticketQuery(ticket_id).queryKey });
        void client.invalidateQueries({ queryKey: ['mail_html', ticket_id] });
      }
      toast.success(t('done', { count: places }));
      onClose();
    },
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={t('question')}
      action={t('redact')}
      busy={redact.isPending}
      error={redact.error}
      onConfirm={() => redact.mutate()}
    >
      <Choices choices={choices} chosen={chosen} onChange={setChosen} />
      {selected === '' ? <p className="mb-2">{t('select_first')}</p> : null}
      <p>{t('hint')}</p>
      <p className="mt-2 font-medium">{t('final')}</p>
    </Confirm>
  );
}
