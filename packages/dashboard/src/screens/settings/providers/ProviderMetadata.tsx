import { URL_MAX } from '@foyer/protocol/values/bounds';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import type { Form } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { FilePick } from '../../../ui/FilePick.tsx';
import { TextField } from '../../../ui/forms/Field.tsx';
import { Callout } from '../../../ui/States.tsx';
import { Problem } from './ProviderTest.tsx';
import type { ProviderValues } from './provider-values.ts';
import { t } from './t.ts';

/** Fills in what the metadata of a SAML provider says. Its address isn't stored. */
export function ProviderMetadata({ form }: { form: Form<ProviderValues> }) {
  const [url, setUrl] = useState('');
  const read = useMutation({
    mutationFn: async (from: File | string) =>
      call(
        'identity_providers.read_metadata',
        typeof from === 'string' ? { url: from } : { xml: await from.text() },
      ),
    onSuccess: ({ found }) => {
      if (!found) return;
      const { issuer, sign_in_url: samlUrl, certificates: samlCertificates } = found;
      form.set({ issuer, samlUrl, samlCertificates });
    },
  });
  const address = url.trim();
  return (
    <div className="space-y-3">
      <TextField
        label={t('metadata')}
        hint={t('metadata_hint')}
        type="url"
        dir="ltr"
        maxLength={URL_MAX}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button busy={read.isPending} disabled={address === ''} onClick={() => read.mutate(address)}>
          {t('metadata_read')}
        </Button>
        <FilePick
          label={t('metadata_file')}
          accept=".xml,application/xml,text/xml,application/samlmetadata+xml"
          disabled={read.isPending}
          onFile={read.mutate}
        />
      </div>
      <div role="status">
        {read.data?.found ? <Callout icon={<CircleCheck aria-hidden />}>{t('metadata_done')}</Callout> : null}
        {read.data?.problem ? <Problem problem={read.data.problem} /> : null}
      </div>
      {read.error ? <ErrorNote error={read.error} title={t('metadata_failed')} /> : null}
    </div>
  );
}
