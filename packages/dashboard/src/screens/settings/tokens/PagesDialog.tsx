import type { ApiToken } from '@foyer/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { linesOf } from '../lines.ts';
import { OriginsField } from '../OriginsField.tsx';
import { ExpiryField } from './ExpiryField.tsx';
import { expiryShown, expiryUtc } from './expiry.ts';
import { t } from './t.ts';
import { tokensQuery } from './tokens-query.ts';

/** Changes the pages on which a browser token works, and until when. */
export function PagesDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const client = useQueryClient();
  const before = expiryShown(token.expires_utc);
  const form = useForm({
    initial: { allowed_origins: token.allowed_origins.join('\n'), ...before },
    save: ({ allowed_origins, expiry, date }) => {
      // An unchanged day keeps its time.
      const isKept = expiry === before.expiry && date === before.date;
      return call('browser_tokens.update', {
        id: token.id,
        allowed_origins: linesOf(allowed_origins),
        ...(!isKept && { expires_utc: expiryUtc({ expiry, date }) }),
      });
    },
    onSaved: async () => {
      await client.invalidateQueries({ queryKey: tokensQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog title={t('pages_title', { name: token.name })} form={form} onClose={onClose}>
      <OriginsField form={form} label={t('pages')} hint={t('pages_hint')} />
      <ExpiryField form={form} />
    </FormDialog>
  );
}
