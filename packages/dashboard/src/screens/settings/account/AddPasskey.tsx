import { PASSKEY_NAME_MAX } from '@foyer/protocol/values/bounds';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { TextField } from '../../../ui/forms/Field.tsx';
import { deviceName } from './device-name.ts';
import { PasswordField } from './PasswordField.tsx';
import { addPasskey } from './passkeys.ts';
import { t } from './t.ts';

/** Asks for the password and a name, and then lets the browser create a passkey. */
export function AddPasskey({ onAdded, onClose }: { onAdded: () => unknown; onClose: () => void }) {
  const form = useForm({
    initial: { password: '', name: deviceName(navigator.userAgent) },
    save: ({ password, name }) => addPasskey(password, name.trim()),
    // Cancelling the browser's dialog leaves this one open.
    onSaved: (added) => added && onAdded(),
  });
  const { password, name } = form.values;
  return (
    <FormDialog
      title={t('passkey_add')}
      action={t('go_on')}
      failure={t('passkey_not_added')}
      disabled={password === '' || name.trim() === ''}
      form={form}
      onClose={onClose}
    >
      <p className="text-soft">{t('passkey_add_hint')}</p>
      <TextField
        label={t('passkey_name')}
        hint={t('passkey_name_hint')}
        required
        maxLength={PASSKEY_NAME_MAX}
        {...form.text('name')}
      />
      <PasswordField {...form.text('password')} />
    </FormDialog>
  );
}
