import type { MailSetup } from '@foyer/protocol';
import { MAIL_SECURITIES } from '@foyer/protocol/wire-names';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, call } from '../../../api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Confirm } from '../../../ui/Dialog.tsx';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { SelectField, TextField } from '../../../ui/Field.tsx';
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx';
import { Section } from '../../../ui/Page.tsx';
import { say } from '../../../ui/toast-store.ts';
import { useForm } from '../use-form.ts';
import { mailQuery } from './mail-query.ts';
import { t } from './t.ts';

const PORTS = { starttls: 587, tls: 465 } as const;
/** Those that say themselves what is wrong with them. */
const FIELDS = ['host', 'port', 'user', 'password', 'from_address', 'from_name'];

const fieldsOf = ({ server, from }: MailSetup) => ({
  host: server?.host ?? '',
  user: server?.user ?? '',
  password: '',
  from_address: from?.address ?? '',
  from_name: from?.name ?? '',
  security: server?.security ?? ('starttls' as const),
  port: String(server?.port ?? PORTS.starttls),
});

/** The site's own mail server: a form whose password goes one way only. */
export function MailServer({ setup }: { setup: MailSetup }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { server } = setup;
  const { form, dirty, set, forget } = useForm(fieldsOf(setup));
  const { security, port } = form;
  const save = useMutation({
    mutationFn: () => {
      const { host, user, password, from_address, from_name } = form;
      return call('mail.set', {
        host,
        port: Number(port),
        security,
        user: user.trim() || null,
        from_address,
        from_name: from_name.trim() || null,
        ...(password === '' ? {} : { password }),
      });
    },
    onSuccess: (saved) => {
      client.setQueryData(mailQuery.queryKey, saved);
      say(t('saved'));
    },
  });
  const clear = useMutation({
    mutationFn: () => call('mail.clear', {}),
    onSuccess: (saved) => {
      client.setQueryData(mailQuery.queryKey, saved);
      setAsking(false);
      say(t('cleared'));
    },
  });
  const { error } = save;
  const issue = (field: string): string | undefined =>
    error instanceof ApiError ? error.issueWithin(field) : undefined;
  const text = (field: Exclude<keyof typeof form, 'security' | 'port'>) => ({
    label: t(field),
    value: form[field],
    error: issue(field),
    onChange: ({ target }: { target: { value: string } }) => set({ [field]: target.value }),
  });
  const isSaid = error instanceof ApiError && error.isOnlyOf(FIELDS);
  return (
    <Section title={t('server_title')} intro={t('server_intro')}>
      <form
        className="max-w-xl space-y-4"
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(undefined, { onSuccess: forget });
        }}
      >
        <div className="grid gap-4 sm:grid-cols-[1fr_96px]">
          <TextField {...text('host')} required dir="ltr" />
          <TextField
            label={t('port')}
            value={port}
            error={issue('port')}
            inputMode="numeric"
            required
            onChange={({ target }) => set({ port: target.value })}
          />
        </div>
        <SelectField
          label={t('security')}
          value={security}
          onChange={({ target }) => {
            const chosen = MAIL_SECURITIES.find((one) => one === target.value) ?? 'starttls';
            const isUsual = Number(port) === PORTS[security];
            set({ security: chosen, ...(isUsual ? { port: String(PORTS[chosen]) } : {}) });
          }}
        >
          {MAIL_SECURITIES.map((one) => (
            <option key={one} value={one}>
              {t(`security_${one}`)}
            </option>
          ))}
        </SelectField>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...text('user')} autoComplete="off" dir="ltr" />
          <TextField
            {...text('password')}
            type="password"
            autoComplete="new-password"
            hint={server?.has_password ? t('password_kept') : t('password_hint')}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...text('from_address')} type="email" required dir="ltr" />
          <TextField {...text('from_name')} hint={t('from_name_hint')} />
        </div>
        {error && !isSaid ? <ErrorNote error={error} title={t('not_saved')} /> : null}
        <LeaveGuard dirty={dirty} />
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" busy={save.isPending}>
            {t('save')}
          </Button>
          {server ? <Button onClick={() => setAsking(true)}>{t('clear')}</Button> : null}
        </div>
      </form>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('clear_ask')}
        action={t('clear')}
        busy={clear.isPending}
        error={clear.error}
        onConfirm={() => clear.mutate()}
      >
        {t('clear_text')}
      </Confirm>
    </Section>
  );
}
