import type { SiteSettings as Site } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { TriangleAlert } from 'lucide-react';
import { useMay, useMe } from '../../desk/DeskContext.tsx';
import { askNewSite } from '../../desk/sites/switch-site.ts';
import type { Form } from '../../forms/use-form.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/forms/Field.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Callout } from '../../ui/States.tsx';
import { AdminOnly } from './AdminOnly.tsx';
import { FileLimits, type Limits } from './FileLimits.tsx';
import { linesOf } from './lines.ts';
import { OriginsField } from './OriginsField.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { t } from './t.ts';
import { useSiteForm } from './use-site-form.ts';
import { withValue } from './with-value.ts';
import { ZoneField } from './ZoneField.tsx';

const WAITS_S = [0, 30, 60, 120, 180, 300, 600, 1800, 3600];

const waitWords = (seconds: number): string => {
  if (seconds === 0) return t('wait_none');
  return seconds < 60 ? t('wait_seconds', { number: seconds }) : t('wait_minutes', { number: seconds / 60 });
};

interface Values {
  name: string;
  time_zone: string;
  /** One per line. */
  allowed_origins: string;
  wait: number;
  files: Limits;
}

const formOf = (site: Site): Values => ({
  name: site.name,
  time_zone: site.time_zone,
  allowed_origins: site.allowed_origins.join('\n'),
  wait: site.email_offer_after_s,
  files: { bytes: site.upload_max_bytes, files: site.upload_max_files, kinds: site.upload_kinds },
});

const inputOf = ({ name, time_zone, allowed_origins, wait, files }: Values) => ({
  name,
  time_zone,
  allowed_origins: linesOf(allowed_origins),
  email_offer_after_s: wait,
  upload_max_bytes: files.bytes,
  upload_max_files: files.files,
  upload_kinds: files.kinds,
});

/** The site, and the pages that may show its chat. */
export function SiteSettings() {
  const { site } = useMe();
  const admin = useMay('site');
  const form = useSiteForm({ stored: formOf(site), input: inputOf, done: t('saved') });
  const { files } = form.values;
  return (
    <Page
      place="settings site"
      title={t('site_title')}
      intro={t('site_intro')}
      actions={admin ? <Button onClick={askNewSite}>{t('new_site')}</Button> : undefined}
    >
      <AdminOnly may="site">
        <SettingsForm form={form} failure={t('site_failed')}>
          <TextField
            label={t('name')}
            required
            maxLength={NAME_MAX}
            frame="mb-4 max-w-80"
            {...form.text('name')}
          />
          <ZoneField
            label={t('time_zone')}
            hint={site.office_hours ? t('time_zone_of_hours') : t('time_zone_hint')}
            frame="mb-8 max-w-80"
            {...form.text('time_zone')}
          />
          <WaitSection form={form} />
          <FileLimits limits={files} disabled={!admin} onChange={(next) => form.set({ files: next })} />
          <OriginSection form={form} />
        </SettingsForm>
      </AdminOnly>
    </Page>
  );
}

/** When a waiting visitor is asked for an email address. */
function WaitSection({ form }: { form: Form<Values> }) {
  return (
    <Section title={t('waiting')} intro={t('waiting_intro')}>
      <SelectField
        label={t('ask_after')}
        frame="max-w-60"
        hint={t('ask_after_hint')}
        {...form.number('wait')}
        options={withValue(WAITS_S, form.values.wait).map((seconds) => ({
          value: seconds,
          label: waitWords(seconds),
        }))}
      />
    </Section>
  );
}

/** The pages that may show the chat. */
function OriginSection({ form }: { form: Form<Values> }) {
  return (
    <Section title={t('origins')} intro={t('origins_intro')}>
      {linesOf(form.values.allowed_origins).length === 0 ? (
        <div className="mb-3">
          <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
            {t('origins_none')}
          </Callout>
        </div>
      ) : null}
      <OriginsField form={form} bare rows={4} label={t('origins')} hint={t('origins_hint')} />
    </Section>
  );
}
