import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import { type DeviceSession, listDevices, signOutDevice, signOutElsewhere } from '../../account.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Rows, Section } from '../../ui/Page.tsx';
import { Badge, ListBones } from '../../ui/States.tsx';
import { Ago } from '../../ui/Time.tsx';
import { say } from '../../ui/toast-store.ts';
import { deviceName } from './device-name.ts';

const DEVICES = ['devices'];

/** Where this account is signed in; each can be ended from here. */
export function Devices() {
  const [asking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery({ queryKey: DEVICES, queryFn: listDevices });
  const leave = useMutation({
    mutationFn: signOutElsewhere,
    onSuccess: async () => {
      await refetch();
      setAsking(false);
      say('You are signed out everywhere else.');
    },
  });
  return (
    <Section
      title="Devices"
      intro="Where you are signed in. End what you do not know, then change your password."
      actions={
        data && data.length > 1 ? (
          <Button small onClick={() => setAsking(true)}>
            Sign out everywhere else
          </Button>
        ) : null
      }
    >
      {error && !data ? (
        <ErrorNote error={error} title="The devices could not be loaded." onRetry={() => void refetch()} />
      ) : data ? (
        <Rows label="Devices">
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
        title="Sign out everywhere else?"
        action="Sign out everywhere else"
        busy={leave.isPending}
        error={leave.error}
        onConfirm={() => leave.mutate()}
      >
        All other browsers and devices must sign in again. You stay signed in here.
      </Confirm>
    </Section>
  );
}

function DeviceRow({ device }: { device: DeviceSession }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const name = deviceName(device.user_agent);
  const end = useMutation({
    mutationFn: () => signOutDevice(device.id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: DEVICES });
      say(`${name} is signed out.`);
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
            <>
              last active <Ago words utc={device.last_used_utc} /> ·{' '}
            </>
          )}
          signed in <Ago words utc={device.created_utc} />
        </p>
      </div>
      {device.current ? (
        <Badge tone="accent">This device</Badge>
      ) : (
        <Button
          small
          look="danger-quiet"
          aria-label={`Sign out ${name}, ${device.address}`}
          onClick={() => setAsking(true)}
        >
          Sign out
        </Button>
      )}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={`Sign out ${name}?`}
        action="Sign out"
        busy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate()}
      >
        It must sign in again. What was being written there is kept in that browser.
      </Confirm>
    </li>
  );
}
