import { SIGNATURE_MAX } from '@foyer/protocol/values/bounds';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api.ts';
import { useMe } from '../../../desk/DeskContext.tsx';
import { FormError } from '../../../forms/FormError.tsx';
import { type Form, useForm } from '../../../forms/use-form.ts';
import { meQuery } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextArea } from '../../../ui/forms/Field.tsx';
import { Section } from '../../../ui/Page.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { useSiteForm } from '../use-site-form.ts';
import { t } from './t.ts';

interface Values {
  signature: string;
}

/** The signature of the agent's own replies. */
export function OwnSignature() {
  const { signature } = useMe();
  const client = useQueryClient();
  const form = useForm({
    stored: { signature },
    save: (values: Values) => call('me.set_signature', values),
    onSaved: (_done, values) => {
      client.setQueryData(meQuery.queryKey, (me) => me && { ...me, signature: values.signature.trim() });
      toast.success(t('saved'));
    },
  });
  return (
    <Section title={t('title')} intro={t('own_intro')}>
      <SignatureForm form={form} />
    </Section>
  );
}

/** The signature for agents without their own. */
export function SiteSignature() {
  const { site } = useMe();
  const form = useSiteForm<Values>({
    stored: { signature: site.signature },
    input: (values) => values,
    done: t('saved'),
  });
  return (
    <Section title={t('site_title')} intro={t('site_intro')}>
      <SignatureForm form={form} />
    </Section>
  );
}

function SignatureForm({ form }: { form: Form<Values> }) {
  return (
    <form onSubmit={form.submit} className="max-w-xl space-y-4">
      <TextArea
        label={t('signature')}
        hint={t('hint', { agent: '{{agent.name}}', site: '{{site.name}}' })}
        rows={4}
        maxLength={SIGNATURE_MAX}
        {...form.text('signature')}
      />
      <FormError form={form} title={t('failed')} />
      <Button type="submit" busy={form.saving} disabled={!form.dirty}>
        {t('save')}
      </Button>
    </form>
  );
}
