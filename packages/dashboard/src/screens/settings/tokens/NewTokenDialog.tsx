import { NAME_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../../api.ts';
import { tokensQuery } from '../../../queries.ts';
import { SelectField, TextField } from '../../../ui/Field.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { linesOf } from '../lines.ts';
import { PagesField } from './PagesField.tsx';
import { t } from './t.ts';

const KINDS = ['read', 'write', 'browser'] as const;
type Kind = (typeof KINDS)[number];
const SCOPES = { read: 'read', write: 'read,write' } as const;

interface NewTokenDialogProps {
  onClose: () => void;
  onSecret: (secret: string) => void;
}

/** Makes a token: where it will be used decides what it may. */
export function NewTokenDialog({ onClose, onSecret }: NewTokenDialogProps) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<Kind>('read');
  const [origins, setOrigins] = useState('');
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      kind === 'browser'
        ? call('browser_tokens.create', { name, allowed_origins: linesOf(origins) })
        : call('api_tokens.create', { name, scopes: SCOPES[kind] }),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
      onSecret(made.token);
    },
  });
  const fields = create.error instanceof ApiError ? create.error : undefined;
  return (
    <FormDialog
      title={t('new')}
      save={create}
      fields={['name', 'allowed_origins']}
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
        value={name}
        error={fields?.issue('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label={t('where')}
        hint={t(`kind_${kind}_hint`)}
        value={kind}
        onChange={({ target }) => setKind(KINDS.find((one) => one === target.value) ?? kind)}
      >
        {KINDS.map((value) => (
          <option key={value} value={value}>
            {t(`kind_${value}`)}
          </option>
        ))}
      </SelectField>
      {kind === 'browser' ? <PagesField value={origins} save={create} onChange={setOrigins} /> : null}
    </FormDialog>
  );
}
