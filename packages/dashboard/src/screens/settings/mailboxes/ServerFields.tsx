import type { MailboxRecord } from '@foyer/protocol';
import { MAIL_SECURITIES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Form } from '../../../forms/use-form.ts';
import { CheckField, SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { mailQuery } from '../mail/mail-query.ts';
import type { MailboxValues } from './mailbox-values.ts';
import { t } from './t.ts';

interface FieldsProps {
  form: Form<MailboxValues>;
}

/** The usual ports, so that changing the encryption changes an unchanged port too. */
const PORTS = { imap: { starttls: 143, tls: 993 }, smtp: { starttls: 587, tls: 465 } } as const;

/** The form's names of a server's values. */
const KEYS = {
  imap: { host: 'imapHost', port: 'imapPort', security: 'imapSecurity' },
  smtp: { host: 'smtpHost', port: 'smtpPort', security: 'smtpSecurity' },
} as const;

/** The server that mail is fetched from. */
export function ImapFields({ form }: FieldsProps) {
  const { values } = form;
  return (
    <KnownServer values={values} kind="imap">
      {values.signIn === 'password' ? <HostFields form={form} kind="imap" /> : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('user')}
          dir="ltr"
          autoComplete="off"
          placeholder={values.address}
          {...form.text('user', 'imap.user')}
        />
        <TextField label={t('folder')} required {...form.text('folder', 'imap.folder')} />
      </div>
    </KnownServer>
  );
}

/** The server of a known provider needs no attention. */
function KnownServer({
  values,
  kind,
  children,
}: {
  values: MailboxValues;
  kind: 'imap' | 'smtp';
  children: ReactNode;
}) {
  const [isOpen, setOpen] = useState(false);
  if (values.provider === 'other') return children;
  const keys = KEYS[kind];
  return (
    <details
      className="rounded-lg border bg-sunken px-3 py-2"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-default py-0.5">
        {t('server_of', { server: `${values[keys.host]}:${values[keys.port]}` })}
      </summary>
      {isOpen ? <div className="space-y-4 pt-3 pb-1">{children}</div> : null}
    </details>
  );
}

function HostFields({ form, kind }: FieldsProps & { kind: 'imap' | 'smtp' }) {
  const { values } = form;
  const keys = KEYS[kind];
  const security = values[keys.security];
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_96px]">
        <TextField
          label={t(`host_${kind}`)}
          required
          dir="ltr"
          placeholder={`${kind}.example.com`}
          {...form.text(keys.host, `${kind}.host`)}
        />
        <TextField label={t('port')} inputMode="numeric" required {...form.text(keys.port, `${kind}.port`)} />
      </div>
      <SelectField
        label={t('security')}
        value={security}
        onChange={({ target }) => {
          const chosen = MAIL_SECURITIES.find((one) => one === target.value) ?? 'tls';
          const isUsual = Number(values[keys.port]) === PORTS[kind][security];
          const port = isUsual ? String(PORTS[kind][chosen]) : values[keys.port];
          form.set(
            kind === 'imap'
              ? { imapSecurity: chosen, imapPort: port }
              : { smtpSecurity: chosen, smtpPort: port },
          );
        }}
        options={MAIL_SECURITIES.map((one) => ({
          value: one,
          label: t(`security_${one}`, { port: PORTS[kind][one] }),
        }))}
      />
    </>
  );
}

/** How its replies are sent, and which address answers to them have. */
export function SendingFields({ form, mailbox }: FieldsProps & { mailbox: MailboxRecord | null }) {
  const { values, set } = form;
  const { isOwnSmtp, isSameLogin, signIn } = values;
  const isWithPassword = signIn === 'password';
  /** With a provider, its server is used with the same sign-in. */
  const isProviders = !isWithPassword && isSameLogin;
  return (
    <div className="space-y-4">
      <Segments
        label={t('sending_title')}
        value={isOwnSmtp ? 'own' : 'site'}
        onChange={(value) => set({ isOwnSmtp: value === 'own' })}
        options={[
          { value: 'own', label: t('sending_own') },
          { value: 'site', label: t('sending_site') },
        ]}
      />
      {isOwnSmtp ? (
        <>
          {isProviders ? null : (
            <KnownServer values={values} kind="smtp">
              <HostFields form={form} kind="smtp" />
            </KnownServer>
          )}
          {values.route === 'imap' ? (
            <CheckField
              label={t(isWithPassword ? 'same_login' : 'same_sign_in')}
              checked={isSameLogin}
              onChange={({ target }) => set({ isSameLogin: target.checked })}
            />
          ) : null}
          {isSameLogin ? null : <SmtpLogin form={form} isKept={mailbox?.smtp?.has_password ?? false} />}
        </>
      ) : (
        <SiteSending />
      )}
      <CheckField label={t('plus')} hint={t('plus_hint')} {...form.checkbox('hasPlusAddresses')} />
    </div>
  );
}

function SmtpLogin({ form, isKept }: FieldsProps & { isKept: boolean }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label={t('user')} dir="ltr" autoComplete="off" {...form.text('smtpUser', 'smtp.user')} />
      <TextField
        label={t('password')}
        type="password"
        autoComplete="new-password"
        hint={isKept ? t('password_kept') : t('password_hint')}
        {...form.text('smtpPassword', 'smtp.password')}
      />
    </div>
  );
}

/** The mail server of the site or the installation. */
function SiteSending() {
  const setup = useQuery(mailQuery).data;
  if (!setup) return null;
  if (setup.source === null) return <p className="text-danger-text">{t('site_none')}</p>;
  const server = <bdi className="font-medium">{setup.server?.host}</bdi>;
  const from = <bdi className="font-medium">{setup.from?.address}</bdi>;
  return (
    <p className="text-soft">
      {t.rich(setup.source === 'site' ? 'site_own' : 'site_environment', { server, from })}
    </p>
  );
}
