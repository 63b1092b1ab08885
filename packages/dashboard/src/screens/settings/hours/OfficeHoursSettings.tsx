import type { OfficeHours } from '@foyer/protocol';
import { isOpen, nextOpening } from '@foyer/protocol/values/office-clock';
import { Clock } from 'lucide-react';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { locale } from '../../../language.ts';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { SettingsForm } from '../SettingsForm.tsx';
import { useSiteForm } from '../use-site-form.ts';
import { ZoneField } from '../ZoneField.tsx';
import { Holidays } from './Holidays.tsx';
import { t } from './t.ts';
import { WeekHours } from './WeekHours.tsx';

const OFFICE_DAY = [{ from: '09:00', to: '17:00' }];

/** Common initial hours, in this browser's time zone. */
const firstHours = (): OfficeHours => ({
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

const inOrder = (hours: OfficeHours): OfficeHours => ({
  ...hours,
  holidays: hours.holidays.toSorted((a, b) => a.date.localeCompare(b.date)),
});

/** The office hours that visitors see. */
export function OfficeHoursSettings() {
  const { site } = useMe();
  const admin = useIsAdmin();
  const form = useSiteForm({
    stored: { hours: site.office_hours },
    input: ({ hours }) => ({ office_hours: hours && inOrder(hours) }),
    done: t('saved'),
  });
  const { hours } = form.values;
  return (
    <Page place="settings hours" title={t('title')} intro={t('intro')}>
      <AdminOnly>
        <SettingsForm form={form} failure={t('failed')}>
          <Toggle
            label={t('keep')}
            hint={t('keep_hint')}
            on={hours !== null}
            disabled={!admin}
            onChange={(on) => form.set({ hours: on ? (site.office_hours ?? firstHours()) : null })}
          />
          {hours ? (
            <>
              <div className="mt-6">
                <OpenNow hours={site.office_hours} />
              </div>
              <HoursFields
                hours={hours}
                issue={(path) => form.issue(`office_hours.${path}`)}
                onChange={(change) => form.set({ hours: { ...hours, ...change } })}
              />
            </>
          ) : null}
        </SettingsForm>
      </AdminOnly>
    </Page>
  );
}

interface HoursFieldsProps {
  hours: OfficeHours;
  issue: (path: string) => string | undefined;
  onChange: (change: Partial<OfficeHours>) => void;
}

function HoursFields({ hours, issue, onChange }: HoursFieldsProps) {
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

/** Whether the office is open now according to the saved hours and their time zone. */
function OpenNow({ hours }: { hours: OfficeHours | null }) {
  const now = new Date(useNow());
  if (!hours) return null;
  return <Callout icon={<Clock aria-hidden />}>{stateWords(hours, now)}</Callout>;
}

function stateWords(hours: OfficeHours, moment: Date): string {
  const now = momentIn(hours, moment);
  if (isOpen(hours, moment)) return t('open', { now });
  const next = nextOpening(hours, moment);
  return next ? t('closed_until', { next: momentIn(hours, next), now }) : t('closed_long', { now });
}

const momentIn = ({ time_zone: timeZone }: OfficeHours, moment: Date): string =>
  new Intl.DateTimeFormat(locale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  }).format(moment);
