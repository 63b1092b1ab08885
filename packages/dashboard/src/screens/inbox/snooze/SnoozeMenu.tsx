import { Popover } from '@base-ui/react/popover';
import { AlarmClock } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { COMMANDS, useCommands } from '../../../commands/commands.ts';
import { momentOf } from '../../../times.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Tip } from '../../../ui/Tip.tsx';
import { snoozeHandler } from '../command-choices.ts';
import { goOn } from '../go-on.ts';
import { t as tInbox } from '../t.ts';
import { readSnooze, snoozeChoices } from './snooze-times.ts';
import { t } from './t.ts';
import { type Snoozable, useSnooze } from './use-snooze.ts';

interface SnoozeMenuProps {
  of: Snoozable;
  /** Solved and closed ones are in no queue that a snooze could hide them from. */
  disabled?: boolean;
  className?: string;
}

/** Snoozes a chat or ticket until a chosen or typed time. */
export function SnoozeMenu({ of, disabled = false, className }: SnoozeMenuProps) {
  const [open, setOpen] = useState(false);
  const snooze = useSnooze(of);
  const isSnoozed = of.until_utc !== null;
  const choose = (until: Date | null): void => {
    setOpen(false);
    snooze.mutate(until, until ? { onSuccess: goOn } : {});
  };
  useCommands({
    snooze: disabled ? undefined : { ...snoozeHandler(choose, isSnoozed), run: () => setOpen(true) },
  });
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Tip text={tInbox('snooze')} shortcut={COMMANDS.snooze.keys}>
        <Popover.Trigger disabled={disabled} className={cx(buttonLook('plain', true), className)}>
          <AlarmClock aria-hidden className="size-4" />
          <span className="max-sm:sr-only">{tInbox(isSnoozed ? 'queue_snoozed' : 'snooze')}</span>
        </Popover.Trigger>
      </Tip>
      <Popover.Portal>
        <Popover.Positioner align="end" sideOffset={4} collisionPadding={8} className="z-50">
          <Popover.Popup
            aria-label={tInbox('snooze')}
            className="appear w-80 max-w-[calc(100vw-16px)] rounded-lg bg-raised p-3 shadow-float outline-none"
          >
            <SnoozeChoice onChoose={choose} isSnoozed={isSnoozed} />
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
                ? t('snooze_enter', { date: momentOf(read) })
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
              <span className="tabular text-faint text-xs">{momentOf(until)}</span>
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
