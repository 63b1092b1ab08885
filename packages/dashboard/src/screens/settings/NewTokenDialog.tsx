import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { tokensQuery } from '../../queries.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { linesOf } from './lines.ts';
import { PagesField } from './PagesField.tsx';

const KINDS = {
  read: { label: 'On a server, to read', hint: 'It can look at everything of this site. Keep it secret.' },
  'read,write': {
    label: 'On a server, to read and change',
    hint: 'It can look at everything of this site, change it and delete it. Keep it secret.',
  },
  browser: {
    label: 'In a web page',
    hint: 'It can only write who a visitor is and what they did, and reads nothing: it may be seen.',
  },
} as const;
type Kind = keyof typeof KINDS;
const isKind = (value: string): value is Kind => value in KINDS;

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
        : call('api_tokens.create', { name, scopes: kind }),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
      onSecret(made.token);
    },
  });
  const fields = create.error instanceof ApiError ? create.error : undefined;
  return (
    <FormDialog
      title="New token"
      save={create}
      fields={['name', 'allowed_origins']}
      action="Create token"
      failure="No token was made."
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Of the program or site that will use it."
        required
        autoFocus
        maxLength={100}
        value={name}
        error={fields?.issue('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Where will it be used?"
        hint={KINDS[kind].hint}
        value={kind}
        onChange={(event) => {
          if (isKind(event.target.value)) setKind(event.target.value);
        }}
      >
        {Object.entries(KINDS).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {kind === 'browser' ? <PagesField value={origins} error={fields} onChange={setOrigins} /> : null}
    </FormDialog>
  );
}
