import type { Interval, WeeklyHours } from '@foyer/protocol';
import { OFFICE_INTERVALS_MAX } from '@foyer/protocol/values/bounds';
import { DAY_MS } from '@foyer/protocol/values/durations';
import { minuteOfDay, WEEKDAYS, type Weekday } from '@foyer/protocol/values/office-clock';
import { Plus, X } from 'lucide-react';
import { type ComponentProps, useId, useState } from 'react';
import { locale } from '../../../language.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { readTimeOfDay, timeOfDay } from '../../../ui/forms/clock-text.ts';
import { CheckField, TextField } from '../../../ui/forms/Field.tsx';
import { t } from './t.ts';

const FIRST: Interval = { from: '09:00', to: '17:00' };
/** The break before a day's second interval. */
const BREAK_MINUTES = 60;

/** A week that begins on a Monday. */
const A_MONDAY = Date.UTC(2024, 0, 1);

const dayName = (day: Weekday): string =>
  new Intl.DateTimeFormat(locale(), { weekday: 'long', timeZone: 'UTC' }).format(
    A_MONDAY + WEEKDAYS.indexOf(day) * DAY_MS,
  );

const OFFICE_DAYS: readonly Weekday[] = ['tuesday', 'wednesday', 'thursday', 'friday'];

const clockAt = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The next interval of a day, an hour after the last; undefined if the day is too short. */
function nextInterval(day: Interval[]): Interval | undefined {
  const last = day.at(-1);
  if (!last) return FIRST;
  const from = minuteOfDay(last.to) + BREAK_MINUTES;
  if (from >= 24 * 60) return undefined;
  return { from: clockAt(from), to: clockAt(Math.min(from + 2 * 60, 24 * 60)) };
}

/** A time field has no 24:00: at the end of a day, midnight reads 00:00. */
const shownEnd = (to: string): string => (to === '24:00' ? '00:00' : to);
const meantEnd = (shown: string): string => (shown === '00:00' ? '24:00' : shown);

interface WeekProps {
  weekly: WeeklyHours;
  /** What a day without hours is called; by default, closed. */
  none?: string;
  /** The error of a day. */
  issueOf(day: Weekday): string | undefined;
  onChange(weekly: WeeklyHours): void;
}

/** The hours of each day of the week. */
export function WeekHours({ weekly, none = t('day_closed'), issueOf, onChange }: WeekProps) {
  const copyMonday = (): void =>
    onChange({ ...weekly, ...Object.fromEntries(OFFICE_DAYS.map((day) => [day, weekly.monday])) });
  return (
    <>
      <ul className="divide-y rounded-lg border">
        {WEEKDAYS.map((day) => (
          <DayHours
            key={day}
            name={dayName(day)}
            day={weekly[day]}
            none={none}
            issue={issueOf(day)}
            onChange={(intervals) => onChange({ ...weekly, [day]: intervals })}
          />
        ))}
      </ul>
      <Button small className="mt-3" onClick={copyMonday}>
        {t('monday_for_all')}
      </Button>
    </>
  );
}

interface DayProps {
  name: string;
  day: Interval[];
  none: string;
  issue: string | undefined;
  onChange(day: Interval[]): void;
}

function DayHours({ name, day, none, issue, onChange }: DayProps) {
  const added = nextInterval(day);
  const fault = useId();
  const marks = issue ? { 'aria-invalid': true, 'aria-describedby': fault } : {};
  const set = (at: number, change: Partial<Interval>): void =>
    onChange(day.map((interval, index) => (index === at ? { ...interval, ...change } : interval)));
  const more =
    day.length > 0 && day.length < OFFICE_INTERVALS_MAX && added ? (
      <IconButton label={t('day_more', { day: name })} onClick={() => onChange([...day, added])}>
        <Plus aria-hidden className="size-4" />
      </IconButton>
    ) : null;
  return (
    <li className="flex flex-wrap gap-x-4 px-4 py-2">
      <CheckField
        label={name}
        className="w-32 py-2 max-sm:w-full"
        checked={day.length > 0}
        onChange={(event) => onChange(event.target.checked ? [FIRST] : [])}
      />
      <div className="min-w-0 flex-1 space-y-2 ">
        {day.length === 0 ? <p className="py-2 text-soft max-sm:pt-0">{none}</p> : null}
        {[...day.entries()].map(([at, interval]) => (
          <div key={at} className="flex items-center gap-2 max-sm:gap-1">
            <TimeField
              {...marks}
              label={t('day_from', { day: name })}
              value={interval.from}
              onChange={(from) => set(at, { from })}
            />
            <span aria-hidden className="text-soft">
              –
            </span>
            <TimeField
              {...marks}
              label={t('day_until', { day: name })}
              value={shownEnd(interval.to)}
              onChange={(shown) => set(at, { to: meantEnd(shown) })}
            />
            <IconButton
              label={t('day_remove', { day: name })}
              onClick={() => onChange(day.filter((_, index) => index !== at))}
            >
              <X aria-hidden className="size-4" />
            </IconButton>
            {at === day.length - 1 ? more : null}
          </div>
        ))}
        {issue ? (
          <p id={fault} className="text-danger-text">
            {t('day_wrong', { problem: issue })}
          </p>
        ) : null}
      </div>
    </li>
  );
}

interface TimeFieldProps extends Pick<ComponentProps<'input'>, 'aria-invalid' | 'aria-describedby'> {
  label: string;
  value: string;
  onChange(value: string): void;
}

/** A time in the desk's language. An invalid one prevents saving. */
function TimeField({ value, onChange, ...rest }: TimeFieldProps) {
  const [written, setWritten] = useState<string>();
  const write = (field: HTMLInputElement): void => {
    const clock = readTimeOfDay(field.value);
    field.setCustomValidity(clock ? '' : t('time_unclear'));
    setWritten(field.value);
    if (clock) onChange(clock);
  };
  return (
    <TextField
      {...rest}
      bare
      required
      value={written ?? timeOfDay(value)}
      frame="w-36 max-sm:w-auto max-sm:flex-1"
      className="tabular max-sm:px-2"
      autoComplete="off"
      onChange={(event) => write(event.target)}
      onBlur={({ target }) => {
        if (target.checkValidity()) setWritten(undefined);
      }}
    />
  );
}
