import type { SignedInDevice } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { listDevices, signOutDevice, signOutElsewhere } from '../../../account.ts';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { Rows, Section } from '../../../ui/Page.tsx';
import { Badge, ListBones } from '../../../ui/States.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { say } from '../../../ui/toast-store.ts';
import { deviceName } from './device-name.ts';
import { t } from './t.ts';

export const DEVICES_KEY = ['devices'];

/** Where this account is signed in; each can be ended from here. */
export function Devices() {
  const [asking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery({ queryKey: DEVICES_KEY, queryFn: listDevices });
  const leave = useMutation({
    mutationFn: signOutElsewhere,
    onSuccess: async () => {
      await refetch();
      setAsking(false);
      say(t('elsewhere_done'));
    },
  });
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
      {error && !data ? (
        <ErrorNote error={error} title={t('devices_failed')} onRetry={() => void refetch()} />
      ) : data ? (
        <Rows label={t('devices')}>
          {data.map((device) => (
            <DeviceRow key={device.id} device={device} />
          ))}
        </Rows>
      ) : (
        <ListBones rows={2} face={false} />
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('elsewhere_ask')}
        action={t('elsewhere')}
        busy={leave.isPending}
        error={leave.error}
        onConfirm={() => leave.mutate()}
      >
        {t('elsewhere_hint')}
      </Confirm>
    </Section>
  );
}

function DeviceRow({ device }: { device: SignedInDevice }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const name = deviceName(device.user_agent);
  const end = useMutation({
    mutationFn: () => signOutDevice(device.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: DEVICES_KEY });
      say(t('device_done', { name }));
    },
  });
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
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('device_ask', { name })}
        action={t('sign_out')}
        busy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
      >
        {t('device_hint')}
      </Confirm>
    </li>
  );
}
