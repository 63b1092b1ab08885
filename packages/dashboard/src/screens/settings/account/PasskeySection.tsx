import type { SignInPasskey } from '@foyer/protocol';
import { PASSKEY_NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { meQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Rows, Section } from '../../../ui/Page.tsx';
import { Ago } from '../../../ui/Time.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { Waiting } from '../../../ui/Waiting.tsx';
import { AddPasskey } from './AddPasskey.tsx';
import { DEVICES_KEY } from './Devices.tsx';
import { PasswordField } from './PasswordField.tsx';
import { hasPasskeys, listPasskeys, removePasskey, renamePasskey } from './passkeys.ts';
import { t } from './t.ts';

const PASSKEYS_KEY = ['passkeys'];

/** Passkeys also count in the team's list, and a removed one has ended its devices' sessions. */
function useRefresh() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [PASSKEYS_KEY, DEVICES_KEY, meQuery.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
}

/** The passkeys of the agent's account. */
export function PasskeySection() {
  const [adding, setAdding] = useState(false);
  const refresh = useRefresh();
  const { data, error, refetch } = useQuery({ queryKey: PASSKEYS_KEY, queryFn: listPasskeys });
  return (
    <Section title={t('passkeys')} intro={hasPasskeys() ? t('passkeys_intro') : t('passkey_unsupported')}>
      {data ? <List passkeys={data} /> : null}
      {error ? <Waiting error={error} retry={refetch} failed={t('passkeys_failed')} rows={1} /> : null}
      {hasPasskeys() ? (
        <Button
          className={data && data.length > 0 ? 'mt-4' : ''}
          icon={<Plus aria-hidden className="size-4" />}
          onClick={() => setAdding(true)}
        >
          {t('passkey_add')}
        </Button>
      ) : null}
      {adding ? (
        <AddPasskey
          onClose={() => setAdding(false)}
          onAdded={async () => {
            await refresh();
            setAdding(false);
            toast.success(t('passkey_added'));
          }}
        />
      ) : null}
    </Section>
  );
}

function List({ passkeys }: { passkeys: SignInPasskey[] }) {
  if (passkeys.length === 0) return null;
  return (
    <Rows label={t('passkeys')}>
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.id} passkey={passkey} />
      ))}
    </Rows>
  );
}

function PasskeyRow({ passkey }: { passkey: SignInPasskey }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const { name } = passkey;
  const close = (): void => setOpen(null);
  return (
    <li className="flex flex-wrap items-center gap-3 py-2.5 ps-4 pe-3">
      <KeyRound aria-hidden className="size-4 shrink-0 text-soft" />
      <div className="min-w-40 flex-1">
        <p className="truncate" title={name}>
          <bdi>{name}</bdi>
        </p>
        <p className="text-soft text-xs">
          {t.rich('passkey_since', { when: <Ago words utc={passkey.created_utc} /> })}
          {' · '}
          {passkey.last_used_utc
            ? t.rich('passkey_used', { when: <Ago words utc={passkey.last_used_utc} /> })
            : t('passkey_unused')}
        </p>
      </div>
      <div className="flex gap-2">
        <Button small aria-label={t('passkey_rename_label', { name })} onClick={() => setOpen('rename')}>
          {t('passkey_rename')}
        </Button>
        <Button
          small
          look="danger-quiet"
          aria-label={t('passkey_remove_label', { name })}
          onClick={() => setOpen('remove')}
        >
          {t('passkey_remove')}
        </Button>
      </div>
      {open === 'rename' ? <Rename passkey={passkey} onClose={close} /> : null}
      {open === 'remove' ? <Remove passkey={passkey} onClose={close} /> : null}
    </li>
  );
}

interface DialogProps {
  passkey: SignInPasskey;
  onClose: () => void;
}

function Rename({ passkey, onClose }: DialogProps) {
  const refresh = useRefresh();
  const form = useForm({
    initial: { name: passkey.name },
    save: ({ name }) => renamePasskey(passkey.id, name.trim()),
    onSaved: async () => {
      await refresh();
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('passkey_rename_title')}
      disabled={form.values.name.trim() === ''}
      form={form}
      onClose={onClose}
    >
      <TextField
        label={t('passkey_name')}
        required
        autoFocus
        maxLength={PASSKEY_NAME_MAX}
        {...form.text('name')}
      />
    </FormDialog>
  );
}

function Remove({ passkey: { id, name }, onClose }: DialogProps) {
  const refresh = useRefresh();
  const form = useForm({
    initial: { password: '' },
    save: ({ password }) => removePasskey(id, password),
    onSaved: async () => {
      await refresh();
      onClose();
      toast.success(t('passkey_removed', { name }));
    },
  });
  return (
    <FormDialog
      danger
      title={t('passkey_remove_ask', { name })}
      action={t('passkey_remove')}
      failure={t('passkey_not_removed')}
      disabled={form.values.password === ''}
      form={form}
      onClose={onClose}
    >
      <p className="text-soft">{t('passkey_remove_hint')}</p>
      <PasswordField {...form.text('password')} />
    </FormDialog>
  );
}
