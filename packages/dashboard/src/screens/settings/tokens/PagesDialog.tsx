import type { ApiToken } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { tokensQuery } from '../../../queries.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { linesOf } from '../lines.ts';
import { PagesField } from './PagesField.tsx';
import { t } from './t.ts';

/** Changes the pages on which a browser token works. */
export function PagesDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const [origins, setOrigins] = useState(token.allowed_origins.join('\n'));
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => call('browser_tokens.update', { id: token.id, allowed_origins: linesOf(origins) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t('pages_title', { name: token.name })}
      save={save}
      fields={['allowed_origins']}
      onClose={onClose}
    >
      <PagesField value={origins} save={save} onChange={setOrigins} />
    </FormDialog>
  );
}
