import { useQuery } from '@tanstack/react-query';
import { SelectField } from '../../ui/forms/Field.tsx';
import { Toggle } from '../../ui/forms/Toggle.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Waiting } from '../../ui/Waiting.tsx';
import { withValue } from '../settings/with-value.ts';
import { PushDevices } from './PushDevices.tsx';
import { PushHere } from './PushHere.tsx';
import { type Settings, settingsQuery, useChoose } from './settings-query.ts';
import { t } from './t.ts';
import { WayMatrix } from './WayMatrix.tsx';

/** How the agent is notified of each kind of event, and where. */
export function NotificationSettings() {
  const { data, error, refetch } = useQuery(settingsQuery);
  return (
    <Page place="settings notifications" title={t('title')} intro={t('intro')}>
      {data ? (
        <Loaded settings={data} />
      ) : (
        <Waiting error={error} retry={refetch} failed={t('not_loaded')} rows={6} />
      )}
    </Page>
  );
}

function Loaded({ settings }: { settings: Settings }) {
  const { choices, devices, mails } = settings;
  const choose = useChoose();
  return (
    <>
      <PushHere settings={settings} />
      <WayMatrix choices={choices} mails={mails} pushes={devices.length > 0} />
      <Section title={t('when_title')}>
        <div className="space-y-4">
          <Toggle
            label={t('quiet_away')}
            hint={t('quiet_away_hint')}
            on={choices.quiet_away}
            onChange={(quiet_away) => choose({ quiet_away })}
          />
          <Toggle
            label={t('quiet_closed')}
            hint={t('quiet_closed_hint')}
            on={choices.quiet_closed}
            onChange={(quiet_closed) => choose({ quiet_closed })}
          />
          <Toggle
            label={t('hide_contents')}
            hint={t('hide_contents_hint')}
            on={choices.hide_contents}
            onChange={(hide_contents) => choose({ hide_contents })}
          />
          {mails ? (
            <MailAfter
              minutes={choices.mail_after_minutes}
              onChange={(minutes) => choose({ mail_after_minutes: minutes })}
            />
          ) : null}
        </div>
      </Section>
      {devices.length > 0 ? <PushDevices devices={devices} /> : null}
    </>
  );
}

const OFFERED_MINUTES = [5, 15, 30, 60, 240, 480];
const HOUR_MINUTES = 60;

const lengthOf = (minutes: number): string =>
  minutes % HOUR_MINUTES === 0
    ? t('hours', { count: minutes / HOUR_MINUTES })
    : t('minutes', { count: minutes });

function MailAfter({ minutes, onChange }: { minutes: number; onChange: (minutes: number) => void }) {
  return (
    <SelectField
      label={t('mail_after')}
      hint={t('mail_after_hint')}
      frame="max-w-80"
      value={minutes}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
      options={withValue(OFFERED_MINUTES, minutes).map((one) => ({ value: one, label: lengthOf(one) }))}
    />
  );
}
