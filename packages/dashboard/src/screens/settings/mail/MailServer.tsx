import type { MailSetup } from '@foyer/protocol';
import { MAIL_SECURITIES } from '@foyer/protocol/values/wire-names';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../api.ts';
import { FormError } from '../../../forms/FormError.tsx';
import { LeaveGuard } from '../../../forms/LeaveGuard.tsx';
import { type Form, useForm } from '../../../forms/use-form.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmAction } from '../../../ui/ConfirmAction.tsx';
import { SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { Section } from '../../../ui/Page.tsx';
import { toast } from '../../../ui/toasts/toast-store.ts';
import { mailQuery } from './mail-query.ts';
import { t } from './t.ts';

const PORTS = { starttls: 587, tls: 465 } as const;
const fieldsOf = ({ server, from }: MailSetup) => ({
  host: server?.host ?? '',
  user: server?.user ?? '',
  password: '',
  from_address: from?.address ?? '',
  from_name: from?.name ?? '',
  security: server?.security ?? ('starttls' as const),
  port: String(server?.port ?? PORTS.starttls),
});

/** The site's own mail server. Its password is sent but never returned. */
export function MailServer({ setup }: { setup: MailSetup }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const form = useForm({
    stored: fieldsOf(setup),
    save: ({ port, user, from_name, password, ...values }) =>
      call('mail.set', {
        ...values,
        port: Number(port),
        user: user.trim() || null,
        from_name: from_name.trim() || null,
        ...(password === '' ? {} : { password }),
      }),
    onSaved: (saved) => {
      client.setQueryData(mailQuery.queryKey, saved);
      toast.success(t('saved'));
    },
  });
  return (
    <Section title={t('server_title')} intro={t('server_intro')}>
      <form className="max-w-xl space-y-4" autoComplete="off" onSubmit={form.submit}>
        <ServerFields form={form} hasPassword={setup.server?.has_password ?? false} />
        <FormError form={form} title={t('not_saved')} />
        <LeaveGuard dirty={form.dirty} />
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" busy={form.saving}>
            {t('save')}
          </Button>
          {setup.server ? <Button onClick={() => setAsking(true)}>{t('clear')}</Button> : null}
        </div>
      </form>
      <ClearServer open={asking} onClose={() => setAsking(false)} />
    </Section>
  );
}

interface ServerFieldsProps {
  form: Form<ReturnType<typeof fieldsOf>>;
  hasPassword: boolean;
}

function ServerFields({ form, hasPassword }: ServerFieldsProps) {
  const { security, port } = form.values;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_96px]">
        <TextField label={t('host')} required dir="ltr" {...form.text('host')} />
        <TextField label={t('port')} inputMode="numeric" required {...form.text('port')} />
      </div>
      <SelectField
        label={t('security')}
        value={security}
        onChange={({ target }) => {
          const chosen = MAIL_SECURITIES.find((one) => one === target.value) ?? 'starttls';
          const isUsual = Number(port) === PORTS[security];
          form.set({ security: chosen, ...(isUsual ? { port: String(PORTS[chosen]) } : {}) });
        }}
        options={MAIL_SECURITIES.map((one) => ({ value: one, label: t(`security_${one}`) }))}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('user')} autoComplete="off" dir="ltr" {...form.text('user')} />
        <TextField
          label={t('password')}
          type="password"
          autoComplete="new-password"
          hint={hasPassword ? t('password_kept') : t('password_hint')}
          {...form.text('password')}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('from_address')} type="email" required dir="ltr" {...form.text('from_address')} />
        <TextField label={t('from_name')} hint={t('from_name_hint')} {...form.text('from_name')} />
      </div>
    </>
  );
}

function ClearServer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const client = useQueryClient();
  return (
    <ConfirmAction
      open={open}
      onClose={onClose}
      title={t('clear_ask')}
      action={t('clear')}
      run={() => call('mail.clear', {})}
      onDone={(saved) => {
        client.setQueryData(mailQuery.queryKey, saved);
        onClose();
        toast.success(t('cleared'));
      }}
    >
      {t('clear_text')}
    </ConfirmAction>
  );
}
