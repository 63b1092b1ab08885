import type { MailboxRecord } from '@foyer/protocol';
import { NAME_MAX, SIGNATURE_MAX } from '@foyer/protocol/values/bounds';
import { MAIL_ROUTES } from '@foyer/protocol/values/wire-names';
import { useQuery } from '@tanstack/react-query';
import { FormError } from '../../../forms/FormError.tsx';
import { FormFoot } from '../../../forms/FormFoot.tsx';
import type { Form } from '../../../forms/use-form.ts';
import { agentsQuery, teamsQuery } from '../../../queries.ts';
import { SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { Segments } from '../../../ui/forms/Segments.tsx';
import { Section } from '../../../ui/Page.tsx';
import { ConnectionTest } from './ConnectionTest.tsx';
import { type MailboxValues, needsPassword, withAddress, withProvider, withRoute } from './mailbox-values.ts';
import { ProviderNote } from './ProviderNote.tsx';
import { PROVIDERS, type ProviderChoice, providerOf } from './providers.ts';
import { ImapFields, SendingFields } from './ServerFields.tsx';
import { PROVIDER_NAMES, SignInChoice } from './SignIn.tsx';
import { t } from './t.ts';

interface MailboxFormProps {
  form: Form<MailboxValues>;
  /** Null: a new one. */
  mailbox: MailboxRecord | null;
}

/** With a provider, there is nothing to test before somebody has signed in. */
const canTest = ({ route, isOwnSmtp, signIn }: MailboxValues, mailbox: MailboxRecord | null): boolean =>
  (route === 'imap' || isOwnSmtp) &&
  (signIn === 'password' || (mailbox?.sign_in === signIn && mailbox.signed_in_utc !== null));

/** Everything that a mailbox is set up with. */
export function MailboxForm({ form, mailbox }: MailboxFormProps) {
  const { values } = form;
  const canSignIn = values.canSignIn.find((provider) => provider === values.signIn);
  return (
    <form className="max-w-xl" autoComplete="off" onSubmit={form.submit}>
      <Account form={form} mailbox={mailbox} />
      <Section title={t('sending_title')} intro={t('sending_intro')}>
        <SendingFields form={form} mailbox={mailbox} />
      </Section>
      {canTest(values, mailbox) ? (
        <Section title={t('test_title')} intro={t('test_intro')}>
          <ConnectionTest values={values} mailboxId={mailbox?.id} />
        </Section>
      ) : null}
      <Section title={t('replies_title')}>
        <Replies form={form} />
      </Section>
      <FormError form={form} title={t('not_saved')} className="mt-6" />
      <FormFoot form={form} isNew={mailbox === null} discard={t('discard')}>
        {mailbox
          ? t('save')
          : canSignIn
            ? t('create_signed_in', { provider: PROVIDER_NAMES[canSignIn] })
            : t('create')}
      </FormFoot>
    </form>
  );
}

function Account({ form, mailbox }: MailboxFormProps) {
  const { values, set } = form;
  return (
    <Section title={t('account_title')} intro={t(`account_${values.route}`)}>
      <div className="space-y-4">
        {mailbox ? null : (
          <Segments
            label={t('route')}
            value={values.route}
            onChange={(route) => set(withRoute(route))}
            options={MAIL_ROUTES.map((route) => ({ value: route, label: t(`route_${route}`) }))}
          />
        )}
        <TextField
          label={t('address')}
          type="email"
          required
          dir="ltr"
          autoFocus={mailbox === null}
          autoComplete="off"
          {...form.text('address')}
          onChange={({ target }) => set(withAddress(target.value, values))}
        />
        {values.route === 'imap' ? <ImapAccount form={form} mailbox={mailbox} /> : null}
        {values.route === 'http' ? <ServiceKey form={form} mailbox={mailbox} /> : null}
      </div>
    </Section>
  );
}

function ServiceKey({ form, mailbox }: MailboxFormProps) {
  return (
    <TextField
      label={t('secret')}
      type="password"
      autoComplete="new-password"
      hint={mailbox?.http?.has_secret ? t('password_kept') : t('secret_hint')}
      {...form.text('secret', 'http.secret')}
    />
  );
}

function ImapAccount({ form, mailbox }: MailboxFormProps) {
  const { values, set } = form;
  const { provider } = values;
  const isNeeded = needsPassword(values, mailbox);
  return (
    <>
      <SelectField
        label={t('provider')}
        value={provider}
        onChange={({ target }) =>
          set({ ...withProvider(target.value as ProviderChoice, values), isProviderChosen: true })
        }
        options={[
          ...PROVIDERS.map(({ id, name }) => ({ value: id, label: name })),
          { value: 'other', label: t('provider_other') },
        ]}
      />
      <SignInChoice form={form} isNew={mailbox === null} />
      {values.signIn === 'password' ? (
        <>
          <ProviderNote provider={provider} />
          <TextField
            label={providerOf(provider)?.passwordUrl ? t('app_password') : t('password')}
            type="password"
            autoComplete="new-password"
            required={isNeeded}
            hint={isNeeded ? t('password_hint') : t('password_kept')}
            {...form.text('password', 'imap.password')}
          />
        </>
      ) : null}
      <ImapFields form={form} />
      {mailbox ? null : (
        <SelectField
          label={t('days')}
          hint={t('days_hint')}
          {...form.text('days', 'imap.days')}
          options={[0, 7, 30, 90, 365].map((count) => ({
            value: String(count),
            label: count === 0 ? t('days_none') : t('days_last', { count }),
          }))}
        />
      )}
    </>
  );
}

function Replies({ form }: { form: Form<MailboxValues> }) {
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const teams = useQuery(teamsQuery).data?.items ?? [];
  return (
    <div className="space-y-4">
      <TextField label={t('name')} hint={t('name_hint')} maxLength={NAME_MAX} {...form.text('name')} />
      <TextArea
        label={t('signature')}
        hint={t('signature_hint', { agent: '{{agent.name}}', site: '{{site.name}}' })}
        rows={3}
        maxLength={SIGNATURE_MAX}
        {...form.text('signature')}
      />
      <SelectField
        label={t('assignee')}
        hint={t('assignee_hint')}
        any={t('assignee_nobody')}
        {...form.text('assignee', 'assignee_id')}
        options={agents.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <SelectField
        label={t('team')}
        any={t('team_none')}
        {...form.text('team', 'team_id')}
        options={teams.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
    </div>
  );
}
