import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { linesOf } from '../lines.ts';
import { OriginsField } from '../OriginsField.tsx';
import { ApiFields } from './ApiFields.tsx';
import { ExpiryField } from './ExpiryField.tsx';
import { type Expiry, expiryUtc } from './expiry.ts';
import { API_KINDS, isAnything, type Rights, scopesOf } from './rights.ts';
import { t } from './t.ts';
import { tokensQuery } from './tokens-query.ts';

const KINDS = [...API_KINDS, 'browser'] as const;
type Kind = (typeof KINDS)[number];

interface NewTokenDialogProps {
  onClose: () => void;
  onSecret: (secret: string) => void;
}

function useNewToken({ onClose, onSecret }: NewTokenDialogProps) {
  const client = useQueryClient();
  return useForm({
    initial: {
      name: '',
      kind: 'read' as Kind,
      rights: {} as Rights,
      allowed_origins: '',
      allowed_addresses: '',
      ...({ expiry: 'never', date: '' } as Expiry),
    },
    save: ({ name, kind, rights, allowed_origins, allowed_addresses, ...expiry }) => {
      const expires_utc = expiryUtc(expiry);
      if (kind === 'browser')
        return call('browser_tokens.create', {
          name,
          allowed_origins: linesOf(allowed_origins),
          expires_utc,
        });
      const scopes = scopesOf(kind, rights);
      return call('api_tokens.create', {
        ...{ name, scopes, expires_utc },
        allowed_addresses: linesOf(allowed_addresses),
      });
    },
    onSaved: (made) => {
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
      onSecret(made.token);
    },
  });
}

/** Creates a token. Where it will be used determines its rights. */
export function NewTokenDialog(props: NewTokenDialogProps) {
  const form = useNewToken(props);
  const { kind, rights } = form.values;
  return (
    <FormDialog
      title={t('new')}
      form={form}
      action={t('create')}
      failure={t('create_failed')}
      disabled={kind !== 'browser' && !isAnything(kind, rights)}
      onClose={props.onClose}
    >
      <TextField
        label={t('name')}
        hint={t('name_hint')}
        required
        autoFocus
        maxLength={NAME_MAX}
        {...form.text('name')}
      />
      <SelectField
        label={t('where')}
        hint={t(`kind_${kind}_hint`)}
        {...form.text('kind')}
        options={KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
      />
      {kind === 'browser' ? (
        <>
          <OriginsField form={form} label={t('pages')} hint={t('pages_hint')} />
          <ExpiryField form={form} />
        </>
      ) : (
        <ApiFields form={form} />
      )}
    </FormDialog>
  );
}
