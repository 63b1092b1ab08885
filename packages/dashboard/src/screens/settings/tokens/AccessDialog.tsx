import type { ApiToken } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { linesOf } from '../lines.ts';
import { ApiFields } from './ApiFields.tsx';
import { expiryShown, expiryUtc } from './expiry.ts';
import { API_KINDS, isAnything, kindOf, rightsOf, scopesOf } from './rights.ts';
import { t } from './t.ts';
import { tokensQuery } from './tokens-query.ts';

/** Changes what a program's token may do, from where and until when. */
export function AccessDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const client = useQueryClient();
  const before = expiryShown(token.expires_utc);
  const form = useForm({
    initial: {
      name: token.name,
      kind: kindOf(token),
      rights: rightsOf(token),
      allowed_addresses: token.allowed_addresses.join('\n'),
      ...before,
    },
    save: ({ name, kind, rights, allowed_addresses, expiry, date }) => {
      // An unchanged day keeps its time.
      const isKept = expiry === before.expiry && date === before.date;
      return call('api_tokens.update', {
        id: token.id,
        name,
        scopes: scopesOf(kind, rights),
        allowed_addresses: linesOf(allowed_addresses),
        ...(!isKept && { expires_utc: expiryUtc({ expiry, date }) }),
      });
    },
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
    },
  });
  const { kind, rights } = form.values;
  return (
    <FormDialog
      title={t('access_title', { name: token.name })}
      form={form}
      disabled={!isAnything(kind, rights)}
      onClose={onClose}
    >
      <TextField label={t('name')} required maxLength={NAME_MAX} {...form.text('name')} />
      <SelectField
        label={t('where')}
        hint={t(`kind_${kind}_hint`)}
        {...form.text('kind', 'scopes')}
        options={API_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
      />
      <ApiFields form={form} />
    </FormDialog>
  );
}
