import type { PushDevice } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { call } from '../../api.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { turnPushOff } from '../../desk/notifications/push.ts';
import { Button } from '../../ui/Button.tsx';
import { Rows, Section } from '../../ui/Page.tsx';
import { Badge } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { deviceName } from '../settings/account/device-name.ts';
import { settingsQuery } from './settings-query.ts';
import { t } from './t.ts';

/** The agent's browsers that accept pushes. */
export function PushDevices({ devices }: { devices: readonly PushDevice[] }) {
  return (
    <Section title={t('devices')} intro={t('devices_intro')}>
      <Rows label={t('devices')}>
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} />
        ))}
      </Rows>
    </Section>
  );
}

function DeviceRow({
  device: { id, user_agent, current, last_pushed_utc, refused_utc },
}: {
  device: PushDevice;
}) {
  const { agent } = useMe();
  const client = useQueryClient();
  const name = deviceName(user_agent);
  const remove = useMutation({
    // Also forgets this browser's choice, or its next start would switch pushes on again.
    mutationFn: async () => {
      if (current) await turnPushOff(agent.id);
      else await call('push_devices.remove', { id });
    },
    onError: (error) => toast.error(t('device_failed'), error),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['push state', agent.id] }),
        client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
      ]),
  });
  return (
    <li className="flex items-center gap-3 py-2.5 ps-4 pe-3">
      <MonitorSmartphone aria-hidden className="size-4 shrink-0 text-soft" />
      <div className="min-w-0 flex-1">
        <p className="truncate" title={user_agent || undefined}>
          {name}
        </p>
        <p className={refused_utc ? 'text-danger-text text-xs' : 'text-soft text-xs'}>
          {refused_utc
            ? t.rich('device_refused', { when: <Ago words utc={refused_utc} /> })
            : last_pushed_utc
              ? t.rich('device_pushed', { when: <Ago words utc={last_pushed_utc} /> })
              : t('device_never')}
        </p>
      </div>
      {current ? <Badge tone="accent">{t('device_this')}</Badge> : null}
      <Button
        small
        look="danger-quiet"
        aria-label={t('device_remove_named', { name })}
        busy={remove.isPending}
        onClick={() => remove.mutate()}
      >
        {t('device_remove')}
      </Button>
    </li>
  );
}
