import type { OfficeHours } from '@foyer/protocol';
import { isOpen, nextOpening } from '@foyer/protocol/values/office-clock';
import { Clock } from 'lucide-react';
import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { locale } from '../../../language.ts';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Page } from '../../../ui/Page.tsx';
import { Callout } from '../../../ui/States.tsx';
import { useNow } from '../../../ui/Time.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { SettingsForm } from '../SettingsForm.tsx';
import { useSiteForm } from '../use-site-form.ts';
import { firstHours, HoursFields, inOrder } from './HoursFields.tsx';
import { t } from './t.ts';

/** The office hours that visitors see. */
export function OfficeHoursSettings() {
  const { site } = useMe();
  const admin = useMay('site');
  const form = useSiteForm({
    stored: { hours: site.office_hours },
    input: ({ hours }) => ({ office_hours: hours && inOrder(hours) }),
    done: t('saved'),
  });
  const { hours } = form.values;
  return (
    <Page place="settings hours" title={t('title')} intro={t('intro')}>
      <AdminOnly may="site">
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
