import type { VisitorDevice } from '@foyer/protocol';
import { locale } from '../../../language.ts';
import { Ago, useNow } from '../../../ui/Time.tsx';
import { deviceName } from '../../settings/account/device-name.ts';
import { t } from '../t.ts';
import { Fold } from './Fold.tsx';
import type { Person } from './person-queries.ts';

/** The person's browsers, newest first. */
export function Devices({ person }: { person: Person }) {
  const [newest, ...others] = person.devices;
  return (
    <Fold name="devices" title={t('devices')}>
      {newest ? (
        <ul className="space-y-3">
          {[newest, ...others].map((device) => (
            <li key={device.id}>
              <Device device={device} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-faint">{t('devices_none')}</p>
      )}
    </Fold>
  );
}

/** A browser may report an invalid tag. */
function nameOfLanguage(tag: string): string {
  try {
    return new Intl.DisplayNames([locale()], { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The local time there; undefined if the browser reported no known zone. */
function timeIn(zone: string, nowMs: number): string | undefined {
  try {
    const form = { timeZone: zone, hour: 'numeric', minute: '2-digit' } as const;
    return new Intl.DateTimeFormat(locale(), form).format(nowMs);
  } catch {
    return undefined;
  }
}

function Device({ device }: { device: VisitorDevice }) {
  const { user_agent, language, time_zone } = device;
  const time = timeIn(time_zone ?? '', useNow());
  return (
    <>
      <p className="flex items-baseline gap-2">
        <span className="min-w-0 flex-1 truncate" title={user_agent ?? ''}>
          {user_agent ? deviceName(user_agent) : t('device_untold')}
        </span>
        <Ago utc={device.last_seen_utc} className="text-faint text-xs" />
      </p>
      {language ? <p className="text-soft text-xs">{nameOfLanguage(language)}</p> : null}
      {time_zone && time ? (
        <p className="text-soft text-xs">{t('local_time', { time, zone: time_zone.replaceAll('_', ' ') })}</p>
      ) : null}
    </>
  );
}
