import { PUBLIC_URL_MAX } from '@foyer/protocol/values/bounds';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { callQuery } from '../../../call-queries.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { meQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { LocalAddressNote } from './LocalAddressNote.tsx';
import { isLocalAddress } from './local-address.ts';
import { t } from './t.ts';

const publicAddressQuery = callQuery(['public_address'], 'public_address.get', {});

/** The address in the snippet, with a warning if only this computer can open it. An admin of the only site changes it. */
export function PublicAddress() {
  const { base_url } = useMe();
  const isAdmin = useIsAdmin();
  const { data, isPending } = useQuery({ ...publicAddressQuery, enabled: isAdmin });
  const [asking, setAsking] = useState(false);
  const mayChange = data?.set_by === 'admin';
  if (isAdmin && isPending) return null;
  return (
    <>
      {isLocalAddress(base_url) ? (
        <LocalAddressNote baseUrl={base_url} set={mayChange ? 'here' : 'variable'}>
          {mayChange ? (
            <Button className="mt-3" onClick={() => setAsking(true)}>
              {t('address_set')}
            </Button>
          ) : null}
        </LocalAddressNote>
      ) : mayChange ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft">
          <p className="wrap-anywhere">
            {t.rich('address', { address: <code className="font-mono">{base_url}</code> })}
          </p>
          <Button onClick={() => setAsking(true)}>{t('address_change')}</Button>
        </div>
      ) : null}
      {asking ? <AddressDialog url={base_url} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

function AddressDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    initial: { url: isLocalAddress(url) ? '' : url },
    save: (values) => call('public_address.set', values),
    onSaved: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: meQuery.queryKey }),
        client.invalidateQueries({ queryKey: publicAddressQuery.queryKey }),
      ]);
      toast.success(t('address_saved'));
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('address_title')}
      form={form}
      disabled={form.values.url.trim() === ''}
      onClose={onClose}
    >
      <TextField
        label={t('address_label')}
        hint={t('address_hint')}
        type="url"
        required
        autoFocus
        maxLength={PUBLIC_URL_MAX}
        {...form.text('url')}
      />
    </FormDialog>
  );
}
