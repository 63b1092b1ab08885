import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { linesOf } from '../lines.ts';
import { OriginsField } from '../OriginsField.tsx';
import { t } from './t.ts';
import { tokensQuery } from './tokens-query.ts';

const KINDS = ['read', 'write', 'browser'] as const;
type Kind = (typeof KINDS)[number];
const SCOPES = { read: 'read', write: 'read,write' } as const;

interface NewTokenDialogProps {
  onClose: () => void;
  onSecret: (secret: string) => void;
}

/** Creates a token. Where it will be used determines its rights. */
export function NewTokenDialog({ onClose, onSecret }: NewTokenDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: { name: '', kind: 'read' as Kind, allowed_origins: '' },
    save: ({ name, kind, allowed_origins }) =>
      kind === 'browser'
        ? call('browser_tokens.create', { name, allowed_origins: linesOf(allowed_origins) })
        : call('api_tokens.create', { name, scopes: SCOPES[kind] }),
    onSaved: (made) => {
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
      onSecret(made.token);
    },
  });
  const { kind } = form.values;
  return (
    <FormDialog
      title={t('new')}
      form={form}
      action={t('create')}
      failure={t('create_failed')}
      onClose={onClose}
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
      {kind === 'browser' ? <OriginsField form={form} label={t('pages')} hint={t('pages_hint')} /> : null}
    </FormDialog>
  );
}
