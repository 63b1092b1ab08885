import type { LanguageModelSetup } from '@foyer/protocol';
import { MODEL_KEY_MAX, MODEL_NAME_MAX, URL_MAX } from '@foyer/protocol/values/bounds';
import { MODEL_PROVIDERS } from '@foyer/protocol/values/wire-names';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { FormDialog } from '../../../forms/FormDialog.tsx';
import { type Form, useForm } from '../../../forms/use-form.ts';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { noteSetup } from './model-query.ts';
import { t } from './t.ts';

type Own = LanguageModelSetup['own'];

interface Values {
  provider: NonNullable<Own>['provider'];
  base_url: string;
  model: string;
  key: string;
}

const formOf = (own: Own): Values => ({
  provider: own?.provider ?? 'openai',
  base_url: own?.base_url ?? '',
  model: own?.model ?? '',
  key: '',
});

interface ModelDialogProps {
  own: Own;
  onSaved: () => void;
  onClose: () => void;
}

/** The site's own model. Its key is sent and never returned. */
export function ModelDialog({ own, onSaved, onClose }: ModelDialogProps) {
  const client = useQueryClient();
  const form = useForm({
    initial: formOf(own),
    save: ({ base_url, key, ...values }) =>
      call('language_model.set', {
        ...values,
        base_url: base_url.trim() || null,
        ...(key.trim() === '' ? {} : { key }),
      }),
    onSaved: (saved) => {
      noteSetup(client, saved);
      toast.success(t('saved'));
      onClose();
      onSaved();
    },
  });
  const { provider, base_url, model } = form.values;
  const empty = model.trim() === '' || (provider === 'openai' && base_url.trim() === '');
  return (
    <FormDialog title={t('dialog')} action={t('save_test')} form={form} disabled={empty} onClose={onClose}>
      <Fields form={form} hasKey={own != null && own.key_hint !== null} />
      <p className="rounded-lg bg-sunken p-3 text-soft">{t('privacy')}</p>
    </FormDialog>
  );
}

function Fields({ form, hasKey }: { form: Form<Values>; hasKey: boolean }) {
  const { provider } = form.values;
  const isAnthropic = provider === 'anthropic';
  return (
    <>
      <SelectField
        label={t('provider')}
        value={provider}
        onChange={({ target }) =>
          form.set({ provider: MODEL_PROVIDERS.find((one) => one === target.value) ?? 'openai' })
        }
        options={MODEL_PROVIDERS.map((one) => ({ value: one, label: t(`provider_${one}`) }))}
      />
      <TextField
        label={t('base_url')}
        hint={t(isAnthropic ? 'base_url_anthropic' : 'base_url_hint')}
        inputMode="url"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        required={!isAnthropic}
        maxLength={URL_MAX}
        {...form.text('base_url')}
      />
      <TextField
        label={t('model')}
        hint={t('model_hint')}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        required
        maxLength={MODEL_NAME_MAX}
        {...form.text('model')}
      />
      <TextField
        label={t('key')}
        type="password"
        autoComplete="new-password"
        hint={t(hasKey ? 'key_kept' : 'key_new')}
        maxLength={MODEL_KEY_MAX}
        {...form.text('key')}
      />
    </>
  );
}
