import type { MailPerson } from '@foyer/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ticketMailQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { badAddress, peopleText, readPeople } from './people.ts';
import { t } from './t.ts';

/** Who gets a copy of the reply being written; undefined: those who got the last one. */
export interface ChosenCopies {
  cc?: MailPerson[] | undefined;
  bcc?: MailPerson[] | undefined;
}

interface RecipientsProps {
  ticketId: number;
  copies: ChosenCopies;
  onChange: (copies: ChosenCopies) => void;
}

/** Shows and edits who gets a copy of a reply. Hidden if it isn't emailed from a mailbox. */
export function Recipients({ ticketId, copies, onChange }: RecipientsProps) {
  const { data: mail } = useQuery(ticketMailQuery(ticketId));
  const [isOpen, setOpen] = useState(false);
  if (!mail?.from) return null;
  const cc = copies.cc ?? mail.cc;
  const { bcc = [] } = copies;
  return (
    <div className="mx-3.5 border-t border-dashed py-2 text-soft text-xs">
      {isOpen ? (
        <div className="grid gap-2 sm:grid-cols-2">
          <PeopleField label={t('cc')} people={cc} onChange={(next) => onChange({ ...copies, cc: next })} />
          <PeopleField
            label={t('bcc')}
            people={bcc}
            onChange={(next) => onChange({ ...copies, bcc: next })}
          />
        </div>
      ) : (
        <div className="flex min-w-0 flex-wrap items-center gap-x-3">
          <Line label={t('cc')} people={cc} />
          <Line label={t('bcc')} people={bcc} />
          <Button small look="quiet" className="-ms-3" onClick={() => setOpen(true)}>
            {t(cc.length + bcc.length > 0 ? 'edit_recipients' : 'add_recipients')}
          </Button>
        </div>
      )}
    </div>
  );
}

function Line({ label, people }: { label: string; people: readonly MailPerson[] }) {
  if (people.length === 0) return null;
  return (
    <p className="wrap-anywhere min-w-0 py-1">
      {label}: <bdi>{peopleText(people)}</bdi>
    </p>
  );
}

interface PeopleFieldProps {
  label: string;
  people: readonly MailPerson[];
  onChange: (people: MailPerson[]) => void;
}

function PeopleField({ label, people, onChange }: PeopleFieldProps) {
  // While somebody types, what they typed stays as it is.
  const [text, setText] = useState(() => peopleText(people));
  const bad = badAddress(readPeople(text));
  return (
    <TextField
      label={label}
      value={text}
      autoComplete="off"
      hint={t('copies_hint')}
      fault={bad === undefined ? undefined : t('bad_addresses', { text: bad })}
      onChange={({ target }) => {
        setText(target.value);
        onChange(readPeople(target.value));
      }}
    />
  );
}
