import type { OfficeHours } from '@foyer/protocol';
import { Section } from '../../../ui/Page.tsx';
import { ZoneField } from '../ZoneField.tsx';
import { Holidays } from './Holidays.tsx';
import { t } from './t.ts';
import { WeekHours } from './WeekHours.tsx';

const OFFICE_DAY = [{ from: '09:00', to: '17:00' }];

/** Common initial hours, in this browser's time zone. */
export const firstHours = (): OfficeHours => ({
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  weekly: {
    monday: OFFICE_DAY,
    tuesday: OFFICE_DAY,
    wednesday: OFFICE_DAY,
    thursday: OFFICE_DAY,
    friday: OFFICE_DAY,
    saturday: [],
    sunday: [],
  },
  holidays: [],
});

/** Holidays by date, as they are stored. */
export const inOrder = (hours: OfficeHours): OfficeHours => ({
  ...hours,
  holidays: hours.holidays.toSorted((a, b) => a.date.localeCompare(b.date)),
});

interface HoursFieldsProps {
  hours: OfficeHours;
  issue: (path: string) => string | undefined;
  onChange: (change: Partial<OfficeHours>) => void;
}

/** Time zone, week and holidays. */
export function HoursFields({ hours, issue, onChange }: HoursFieldsProps) {
  return (
    <>
      <Section title={t('time_zone')}>
        <ZoneField
          bare
          label={t('time_zone')}
          value={hours.time_zone}
          onChange={(event) => onChange({ time_zone: event.target.value })}
        />
      </Section>
      <Section title={t('week')} intro={t('week_intro')}>
        <WeekHours
          weekly={hours.weekly}
          issueOf={(day) => issue(`weekly.${day}`)}
          onChange={(weekly) => onChange({ weekly })}
        />
      </Section>
      <Section title={t('holidays')} intro={t('holidays_intro')}>
        <Holidays
          holidays={hours.holidays}
          issue={issue('holidays')}
          onChange={(holidays) => onChange({ holidays })}
        />
      </Section>
    </>
  );
}
