import type { Holiday } from '@foyer/protocol';
import { NAME_MAX, OFFICE_HOLIDAYS_MAX } from '@foyer/protocol/values/bounds';
import { Plus, X } from 'lucide-react';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';

interface HolidaysProps {
  holidays: Holiday[];
  /** An error concerning all of them. */
  issue: string | undefined;
  onChange(holidays: Holiday[]): void;
}

/** Days on which the office is closed, whatever the weekday. */
export function Holidays({ holidays, issue, onChange }: HolidaysProps) {
  const set = (at: number, change: Partial<Holiday>): void =>
    onChange(holidays.map((holiday, index) => (index === at ? { ...holiday, ...change } : holiday)));
  return (
    <>
      {holidays.length > 0 ? (
        <ul aria-label={t('holidays')} className="mb-3 space-y-2">
          {[...holidays.entries()].map(([at, { date, name }]) => (
            <li key={at} className="flex items-center gap-2">
              <TextField
                bare
                type="date"
                required
                label={t('holiday_date', { number: at + 1 })}
                frame="w-40 shrink-0 max-sm:w-36"
                value={date}
                onChange={(event) => set(at, { date: event.target.value })}
              />
              <TextField
                bare
                required
                maxLength={NAME_MAX}
                label={t('holiday_name', { number: at + 1 })}
                placeholder={t('holiday_example')}
                frame="flex-1"
                value={name}
                onChange={(event) => set(at, { name: event.target.value })}
              />
              <IconButton
                label={t('holiday_remove', { name: name || t('holiday_unnamed', { number: at + 1 }) })}
                onClick={() => onChange(holidays.filter((_, index) => index !== at))}
              >
                <X aria-hidden className="size-4" />
              </IconButton>
            </li>
          ))}
        </ul>
      ) : null}
      {issue ? <p className="mb-3 text-danger-text">{t('holidays_wrong', { problem: issue })}</p> : null}
      <Button
        small
        icon={<Plus aria-hidden className="size-4" />}
        disabled={holidays.length >= OFFICE_HOLIDAYS_MAX}
        onClick={() => onChange([...holidays, { date: '', name: '' }])}
      >
        {t('holiday_add')}
      </Button>
    </>
  );
}
