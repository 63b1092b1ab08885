import type { ApiToken } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { linesOf } from '../lines.ts';
import { OriginsField } from '../OriginsField.tsx';
import { t } from './t.ts';
import { tokensQuery } from './tokens-query.ts';

/** Changes the pages on which a browser token works. */
export function PagesDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({
    initial: { allowed_origins: token.allowed_origins.join('\n') },
    save: ({ allowed_origins }) =>
      call('browser_tokens.update', { id: token.id, allowed_origins: linesOf(allowed_origins) }),
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog title={t('pages_title', { name: token.name })} form={form} onClose={onClose}>
      <OriginsField form={form} label={t('pages')} hint={t('pages_hint')} />
    </FormDialog>
  );
}
