import type { SignedInDevice } from '@foyer/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { listDevices, signOutDevice, signOutElsewhere } from '../../../account.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { Rows, Section } from '../../../ui/Page.tsx';
import { Badge } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { deviceName } from './device-name.ts';
import { t } from './t.ts';

export const DEVICES_KEY = ['devices'];

/** Where this account is signed in, with a button to end each session. */
export function Devices() {
  const [asking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery({ queryKey: DEVICES_KEY, queryFn: listDevices });
  return (
    <Section
      title={t('devices')}
      intro={t('devices_intro')}
      actions={
        data && data.length > 1 ? (
          <Button small onClick={() => setAsking(true)}>
            {t('elsewhere')}
          </Button>
        ) : null
      }
    >
      {data ? (
        <Rows label={t('devices')}>
          {data.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </Rows>
      ) : (
        <Waiting error={error} retry={refetch} failed={t('devices_failed')} rows={2} />
      )}
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t('elsewhere_ask')}
        action={t('elsewhere')}
        run={signOutElsewhere}
        onDone={async () => {
          await refetch();
          setAsking(false);
          toast.success(t('elsewhere_done'));
        }}
      >
        {t('elsewhere_hint')}
      </ConfirmAction>
    </Section>
  );
}

function DeviceRow({ device }: { device: SignedInDevice }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const name = deviceName(device.user_agent);
  return (
    <li className="flex items-center gap-3 py-2.5 ps-4 pe-3">
      <MonitorSmartphone aria-hidden className="size-4 shrink-0 text-soft" />
      <div className="min-w-0 flex-1">
        <p className="truncate" title={device.user_agent || undefined}>
          {name}
        </p>
        <p className="wrap-anywhere text-soft text-xs">
          {device.address ? `${device.address} · ` : ''}
          {device.current ? null : (
            <>{t.rich('device_active', { when: <Ago words utc={device.last_used_utc} /> })} · </>
          )}
          {t.rich('device_since', { when: <Ago words utc={device.created_utc} /> })}
        </p>
      </div>
      {device.current ? (
        <Badge tone="accent">{t('device_this')}</Badge>
      ) : (
        <Button
          small
          look="danger-quiet"
          aria-label={t('device_end', { name, address: device.address })}
          onClick={() => setAsking(true)}
        >
          {t('sign_out')}
        </Button>
      )}
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t('device_ask', { name })}
        action={t('sign_out')}
        run={() => signOutDevice(device.id)}
        onDone={async () => {
          await client.invalidateQueries({ queryKey: DEVICES_KEY });
          toast.success(t('device_done', { name }));
        }}
      >
        {t('device_hint')}
      </ConfirmAction>
    </li>
  );
}
