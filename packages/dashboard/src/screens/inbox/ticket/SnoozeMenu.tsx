import { Popover } from '@base-ui/react/popover';
import type { Ticket } from '@foyer/protocol';
import { AlarmClock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useCommands } from '../../../commands/commands.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { momentWords, snoozeHandler } from '../command-choices.ts';
import { goOn } from '../go-on.ts';
import { t as tInbox } from '../t.ts';
import { readSnooze, snoozeChoices } from './snooze-times.ts';
import { t } from './t.ts';
import { useSnooze } from './ticket-actions.ts';

/** Hides the ticket until a time that is picked, or written as one says it. */
export function SnoozeMenu({ ticket }: { ticket: Ticket }) {
  const [open, setOpen] = useState(false);
  const snooze = useSnooze(ticket);
  const isDone = ticket.status === 'solved' || ticket.status === 'closed';
  const choose = (until: Date | null): void => {
    setOpen(false);
    snooze.mutate(
      {
        change: until?.toISOString() ?? null,
        done: until ? t('snoozed_until', { date: momentWords(until) }) : t('unsnoozed'),
      },
      until ? { onSuccess: goOn } : {},
    );
  };
  useCommands({
    snooze: isDone
      ? undefined
      : { ...snoozeHandler(choose, ticket.snoozed_until_utc !== null), run: () => setOpen(true) },
  });
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger disabled={isDone} title={t('snooze_z')} className={buttonLook('plain', true)}>
        <AlarmClock aria-hidden className="size-4" />
        <span className="max-sm:sr-only">
          {ticket.snoozed_until_utc ? tInbox('queue_snoozed') : tInbox('snooze')}
        </span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-50">
          <Popover.Popup
            aria-label={tInbox('snooze')}
            className="appear w-80 max-w-[calc(100vw-16px)] rounded-lg bg-raised p-3 shadow-float outline-none"
          >
            <SnoozeChoice onChoose={choose} isSnoozed={ticket.snoozed_until_utc !== null} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

interface SnoozeChoiceProps {
  isSnoozed: boolean;
  onChoose: (until: Date | null) => void;
}

function SnoozeChoice({ isSnoozed, onChoose }: SnoozeChoiceProps) {
  const [text, setText] = useState('');
  const now = new Date();
  const read = readSnooze(text, now);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (read) onChoose(read);
  };
  return (
    <>
      <form onSubmit={submit}>
        <TextField
          label={t('snooze_until')}
          autoFocus
          autoComplete="off"
          placeholder={t('snooze_example')}
          value={text}
          hint={
            text.trim() === ''
              ? t('snooze_or')
              : read
                ? t('snooze_enter', { date: momentWords(read) })
                : t('snooze_unclear')
          }
          onChange={(event) => setText(event.target.value)}
        />
      </form>
      <ul className="-mx-1 mt-2">
        {snoozeChoices(now).map(({ label, until }) => (
          <li key={label}>
            <button
              type="button"
              onClick={() => onChoose(until)}
              className="flex h-8 w-full items-center gap-2 rounded-md px-2 text-start hover:bg-hover max-md:h-11"
            >
              <span className="flex-1">{label}</span>
              <span className="tabular text-faint text-xs">{momentWords(until)}</span>
            </button>
          </li>
        ))}
      </ul>
      {isSnoozed ? (
        <Button small className="mt-2" onClick={() => onChoose(null)}>
          {tInbox('unsnooze')}
        </Button>
      ) : null}
    </>
  );
}
