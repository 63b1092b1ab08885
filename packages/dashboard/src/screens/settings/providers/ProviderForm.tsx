import type { IdentityProvider, OutputOf } from '@foyer/protocol';
import { NAME_MAX, PROVIDER_SECRET_MAX, URL_MAX } from '@foyer/protocol/values/bounds';
import { ApiError } from '../../../api.ts';
import { FormError } from '../../../forms/FormError.tsx';
import { FormFoot } from '../../../forms/FormFoot.tsx';
import type { Form } from '../../../forms/use-form.ts';
import { CopyBox } from '../../../ui/CopyBox.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { Section } from '../../../ui/Page.tsx';
import { faultOfLines } from '../lines.ts';
import { ProviderMetadata } from './ProviderMetadata.tsx';
import { ProviderTest } from './ProviderTest.tsx';
import type { ProviderValues } from './provider-values.ts';
import { SamlEncryption } from './SamlEncryption.tsx';
import { t } from './t.ts';

interface ProviderFormProps {
  form: Form<ProviderValues>;
  /** Null: a new one. */
  provider: IdentityProvider | null;
  /** What the provider needs to know about this site. */
  addresses: Pick<
    OutputOf<'identity_providers.list'>,
    'redirect_url' | 'saml_acs_url' | 'saml_entity_id' | 'saml_encryption'
  >;
}

/** Everything that an identity provider is set up with. */
export function ProviderForm({ form, provider, addresses }: ProviderFormProps) {
  return (
    <form className="max-w-xl" autoComplete="off" onSubmit={form.submit}>
      {provider ? null : (
        <SelectField
          label={t('kind')}
          {...form.text('kind')}
          options={[
            { value: 'oidc', label: t('kind_oidc') },
            { value: 'saml', label: t('kind_saml') },
          ]}
        />
      )}
      <Provider form={form} provider={provider} addresses={addresses} />
      <Section title={t('people_title')}>
        <People form={form} />
      </Section>
      <Section title={t('security_title')}>
        <div className="space-y-4">
          <CheckField
            label={t('refuses_passwords')}
            hint={t('refuses_passwords_hint')}
            {...form.checkbox('refusesPasswords')}
          />
          <CheckField label={t('asks_code')} hint={t('asks_code_hint')} {...form.checkbox('asksCode')} />
        </div>
      </Section>
      <FormError form={form} title={t('not_saved')} className="mt-6" />
      <FormFoot form={form} isNew={provider === null} discard={t('discard')}>
        {provider ? t('save') : t('create')}
      </FormFoot>
    </form>
  );
}

function Provider({ form, provider, addresses }: ProviderFormProps) {
  const isSaml = form.values.kind === 'saml';
  return (
    <Section title={t('provider_title')} intro={t(isSaml ? 'saml_intro' : 'provider_intro')}>
      <div className="space-y-4">
        <Addresses isSaml={isSaml} addresses={addresses} />
        <TextField
          label={t('name')}
          hint={t('name_hint', { name: form.values.name.trim() || t('name_example') })}
          required
          autoFocus={provider === null}
          maxLength={NAME_MAX}
          {...form.text('name')}
        />
        {isSaml ? (
          <SamlFields form={form} addresses={addresses} />
        ) : (
          <Registration form={form} provider={provider} />
        )}
        <Lines
          form={form}
          name="domains"
          path="domains"
          label={t('domains')}
          hint={t(isSaml ? 'saml_domains_hint' : 'domains_hint')}
          required
        />
        {isSaml ? (
          <p className="text-soft">{t('saml_test')}</p>
        ) : (
          <ProviderTest values={form.values} providerId={provider?.id} />
        )}
      </div>
    </Section>
  );
}

function Addresses({ isSaml, addresses }: Pick<ProviderFormProps, 'addresses'> & { isSaml: boolean }) {
  if (!isSaml) return <CopyBox wrap text={addresses.redirect_url} label={t('redirect_copy')} />;
  return (
    <>
      <CopyBox wrap text={addresses.saml_acs_url} label={t('saml_acs_copy')} />
      <CopyBox wrap text={addresses.saml_entity_id} label={t('saml_entity_copy')} />
    </>
  );
}

function Registration({ form, provider }: Pick<ProviderFormProps, 'form' | 'provider'>) {
  const { values } = form;
  const isOther =
    provider === null ||
    provider.issuer !== values.issuer.trim() ||
    provider.client_id !== values.clientId.trim();
  return (
    <>
      <TextField
        label={t('issuer')}
        hint={t('issuer_hint')}
        type="url"
        required
        dir="ltr"
        maxLength={URL_MAX}
        {...form.text('issuer')}
      />
      <TextField
        label={t('client_id')}
        required
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        maxLength={URL_MAX}
        {...form.text('clientId', 'client_id')}
      />
      <TextField
        label={t('client_secret')}
        hint={isOther ? t('secret_hint') : t('secret_kept')}
        type="password"
        autoComplete="new-password"
        required={isOther}
        maxLength={PROVIDER_SECRET_MAX}
        {...form.text('clientSecret', 'client_secret')}
      />
    </>
  );
}

/** What the provider's own page or its metadata says. */
function SamlFields({ form, addresses }: Pick<ProviderFormProps, 'form' | 'addresses'>) {
  return (
    <>
      <ProviderMetadata form={form} />
      <TextField
        label={t('saml_issuer')}
        hint={t('saml_issuer_hint')}
        required
        dir="ltr"
        spellCheck={false}
        maxLength={URL_MAX}
        {...form.text('issuer')}
      />
      <TextField
        label={t('saml_url')}
        type="url"
        required
        dir="ltr"
        maxLength={URL_MAX}
        {...form.text('samlUrl', 'saml.sign_in_url')}
      />
      <TextArea
        label={t('saml_certificates')}
        hint={t('saml_certificates_hint')}
        required
        dir="ltr"
        spellCheck={false}
        className="font-mono text-[13px]"
        {...form.text('samlCertificates', 'saml.certificates')}
      />
      <SamlEncryption form={form} encryption={addresses.saml_encryption} />
    </>
  );
}

interface LinesProps {
  form: Form<ProviderValues>;
  name: 'domains' | 'adminGroups' | 'agentGroups';
  path: string;
  label: string;
  hint?: string;
  required?: boolean;
}

/** One entry per line; a rejected one is quoted. */
function Lines({ form, name, path, ...rest }: LinesProps) {
  const { value, onChange } = form.text(name, path);
  const refused = form.error instanceof ApiError ? form.error : undefined;
  return (
    <TextArea
      {...rest}
      className="font-mono text-[13px]"
      value={value}
      fault={faultOfLines({ text: value, label: rest.label, path }, refused)}
      onChange={(event) => {
        // The server's error identifies a line by its number, which an edit changes.
        if (refused) form.reset();
        onChange(event);
      }}
    />
  );
}

function People({ form }: Pick<ProviderFormProps, 'form'>) {
  return (
    <div className="space-y-4">
      <CheckField
        label={t('creates_agents')}
        hint={t('creates_agents_hint')}
        {...form.checkbox('createsAgents')}
      />
      <SelectField
        label={t('default_role')}
        {...form.text('defaultRole', 'default_role')}
        options={[
          { value: 'agent', label: t('role_agent') },
          { value: 'admin', label: t('role_admin') },
        ]}
      />
      <TextField
        label={t('groups_claim')}
        hint={t('groups_claim_hint')}
        dir="ltr"
        spellCheck={false}
        maxLength={NAME_MAX}
        {...form.text('groupsClaim', 'groups_claim')}
      />
      {form.values.groupsClaim.trim() === '' ? null : (
        <>
          <Lines form={form} name="adminGroups" path="group_roles" label={t('admin_groups')} />
          <Lines
            form={form}
            name="agentGroups"
            path="group_roles"
            label={t('agent_groups')}
            hint={t('groups_hint')}
          />
        </>
      )}
    </div>
  );
}
