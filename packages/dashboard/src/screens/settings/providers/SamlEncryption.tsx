import type { OutputOf } from '@foyer/protocol';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Download, KeyRound } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../../api.ts';
import type { Form } from '../../../forms/use-form.ts';
import { saveFile } from '../../../save-file.ts';
import { dateOf } from '../../../times.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { CheckField } from '../../../ui/forms/Field.tsx';
import { identityProvidersQuery } from './provider-queries.ts';
import type { ProviderValues } from './provider-values.ts';
import { t } from './t.ts';

type Encryption = OutputOf<'identity_providers.list'>['saml_encryption'];

interface SamlEncryptionProps {
  form: Form<ProviderValues>;
  encryption: Encryption;
}

/** The certificate that SAML providers encrypt to, and whether this one has to. */
export function SamlEncryption({ form, encryption }: SamlEncryptionProps) {
  return (
    <>
      <Certificate encryption={encryption} />
      {encryption ? (
        <CheckField
          label={t('encrypted_only')}
          hint={t('encrypted_only_hint')}
          {...form.checkbox('encryptedOnly')}
        />
      ) : null}
    </>
  );
}

function Certificate({ encryption }: { encryption: Encryption }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const reload = () => client.invalidateQueries({ queryKey: identityProvidersQuery.queryKey });
  const make = () => call('identity_providers.rotate_saml_key', {});
  const create = useMutation({ mutationFn: make, onSuccess: reload });
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg border px-4 py-3">
        <div className="min-w-0 flex-1 basis-52">
          <p className="font-medium">{t('encryption')}</p>
          <p className="text-soft text-xs">
            {encryption
              ? t('encryption_until', { date: dateOf(encryption.expires_utc) })
              : t('encryption_hint')}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {encryption ? (
            <Button
              icon={<Download aria-hidden className="size-4" />}
              onClick={() =>
                saveFile('foyer-saml.pem', `${encryption.certificate}\n`, 'application/x-pem-file')
              }
            >
              {t('encryption_download')}
            </Button>
          ) : null}
          <Button
            icon={encryption ? undefined : <KeyRound aria-hidden className="size-4" />}
            busy={create.isPending}
            onClick={() => (encryption ? setAsking(true) : create.mutate())}
          >
            {t(encryption ? 'encryption_replace' : 'encryption_create')}
          </Button>
        </div>
      </div>
      {create.error ? <ErrorNote error={create.error} title={t('encryption_failed')} /> : null}
      <ConfirmAction
        open={asking}
        onClose={() => setAsking(false)}
        title={t('encryption_replace_ask')}
        action={t('encryption_replace')}
        run={make}
        onDone={() => {
          setAsking(false);
          return reload();
        }}
      >
        {t('encryption_replace_hint')}
      </ConfirmAction>
    </>
  );
}
