import type { OfficeHours } from '@foyer/protocol';
import { isOpen, nextOpening } from '@foyer/protocol/office-clock';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Clock } from 'lucide-react';
import type { FormEvent } from 'react';
import { ApiError, call } from '../../../api.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { locale } from '../../../language.ts';
import { meQuery } from '../../../queries.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { SelectField } from '../../../ui/Field.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { say } from '../../../ui/toast-store.ts';
import { AdminOnly } from '../AdminOnly.tsx';
import { SaveRow } from '../SaveRow.tsx';
import { useForm } from '../use-form.ts';
import { Holidays } from './Holidays.tsx';
import { t } from './t.ts';
import { WeekHours } from './WeekHours.tsx';

const OFFICE_DAY = [{ from: '09:00', to: '17:00' }];

/** What most teams begin with, where this browser is. */
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

function useSave(hours: OfficeHours | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('site.update', { office_hours: hours && inOrder(hours) }),
    onSuccess: (site) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site } : me));
      say(t('saved'));
    },
  });
}

/** When the team is there, as visitors are told it. */
export function OfficeHoursSettings() {
  const { site } = useMe();
  const { form, dirty, set, forget } = useForm({ hours: site.office_hours });
  const { hours } = form;
  const setHours = (next: OfficeHours | null): void => set({ hours: next });
  const admin = useIsAdmin();
  const save = useSave(hours);
  const refused = save.error instanceof ApiError ? save.error : undefined;
  const issueAt = (path: string) =>
    refused?.issues.find((issue) => issue.path.startsWith(`office_hours.${path}`))?.message;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: forget });
  };
  return (
    <Page place="settings hours" title={t('title')} intro={t('intro')}>
      <AdminOnly>
        <form onSubmit={submit}>
          <Toggle
            label={t('keep')}
            hint={t('keep_hint')}
            on={hours !== null}
            disabled={!admin}
            onChange={(on) => setHours(on ? (site.office_hours ?? firstHours()) : null)}
          />
          {hours ? (
            <>
              <div className="mt-6">
                <OpenNow hours={site.office_hours} />
              </div>
              <Section title={t('time_zone')}>
                <ZoneField
                  zone={hours.time_zone}
                  onChange={(time_zone) => setHours({ ...hours, time_zone })}
                />
              </Section>
              <Section title={t('week')} intro={t('week_intro')}>
                <WeekHours
                  weekly={hours.weekly}
                  issueOf={(day) => issueAt(`weekly.${day}`)}
                  onChange={(weekly) => setHours({ ...hours, weekly })}
                />
              </Section>
              <Section title={t('holidays')} intro={t('holidays_intro')}>
                <Holidays
                  holidays={hours.holidays}
                  issue={issueAt('holidays')}
                  onChange={(holidays) => setHours({ ...hours, holidays })}
                />
              </Section>
            </>
          ) : null}
          {save.error && !refused?.isOnlyOf(['office_hours.weekly', 'office_hours.holidays']) ? (
            <ErrorNote error={save.error} title={t('failed')} className="mt-6" />
          ) : null}
          <SaveRow dirty={dirty} save={save} onUndo={forget} />
        </form>
      </AdminOnly>
    </Page>
  );
}

/** Whether the hours that are saved say open now, on the clocks of their time zone. */
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

function ZoneField({ zone, onChange }: { zone: string; onChange: (zone: string) => void }) {
  const zones = Intl.supportedValuesOf('timeZone');
  // Names that are aliases, such as UTC, are not among them.
  const all = zones.includes(zone) ? zones : [zone, ...zones];
  return (
    <SelectField
      bare
      label={t('time_zone')}
      frame="max-w-80"
      value={zone}
      onChange={(event) => onChange(event.target.value)}
    >
      {all.map((name) => (
        <option key={name} value={name}>
          {name.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectField>
  );
}
