import type { HelpSettings, InputOf } from '@foyer/protocol';
import { HELP_INTRO_MAX, HELP_TITLE_MAX } from '@foyer/protocol/values/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { call } from '../../api.ts';
import { useMay } from '../../desk/DeskContext.tsx';
import { FormError } from '../../forms/FormError.tsx';
import { LeaveGuard } from '../../forms/LeaveGuard.tsx';
import { useForm } from '../../forms/use-form.ts';
import { tCommon } from '../../t-common.ts';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { TextArea, TextField } from '../../ui/forms/Field.tsx';
import { Toggle } from '../../ui/forms/Toggle.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts/toast-store.ts';
import { Waiting } from '../../ui/Waiting.tsx';
import { helpCentreQuery } from './help-centre-query.ts';
import { t } from './t.ts';

/** The public pages with the published articles. */
export function HelpCentreScreen() {
  const { data, error, refetch } = useQuery(helpCentreQuery);
  return (
    <Page
      place="help-centre"
      title={t('help_centre')}
      intro={t('help_intro')}
      back={{ to: '/knowledge', label: tCommon('nav_knowledge') }}
      actions={
        data?.enabled ? (
          <a href={data.url} target="_blank" rel="noreferrer" className={buttonLook()}>
            <ExternalLink aria-hidden className="size-4" />
            {t('help_open')}
          </a>
        ) : null
      }
    >
      {data ? (
        <Settings key={data.url} settings={data} />
      ) : (
        <Waiting error={error} retry={refetch} failed={t('help_failed')} height="h-60" />
      )}
    </Page>
  );
}

const valuesOf = ({ slug, title, intro }: HelpSettings) => ({ slug: slug ?? '', title, intro });

function Settings({ settings }: { settings: HelpSettings }) {
  return (
    <>
      <Audience settings={settings} />
      <Section title={t('help_look')} intro={t('help_look_hint')}>
        <Look settings={settings} />
      </Section>
    </>
  );
}

/** Who may read the pages, and whether search engines list them; saved immediately. */
function Audience({ settings }: { settings: HelpSettings }) {
  const admin = useMay('knowledge');
  const client = useQueryClient();
  const turn = useMutation({
    mutationFn: (input: InputOf<'help_centre.update'>) => call('help_centre.update', input),
    onSuccess: (saved) => client.setQueryData(helpCentreQuery.queryKey, saved),
    onError: (error) => toast.error(t('help_unchanged'), error),
  });
  return (
    <Section title={t('help_who')}>
      <div className="space-y-4">
        <Toggle
          label={t('help_everybody')}
          hint={t('help_everybody_hint')}
          on={settings.enabled}
          disabled={!admin}
          busy={turn.isPending}
          onChange={(enabled) => turn.mutate({ enabled })}
        />
        <Toggle
          label={t('help_indexed')}
          hint={t('help_indexed_hint')}
          on={settings.indexed}
          disabled={!admin}
          busy={turn.isPending}
          onChange={(indexed) => turn.mutate({ indexed })}
        />
      </div>
    </Section>
  );
}

/** The address, title and welcome of the pages. */
function Look({ settings }: { settings: HelpSettings }) {
  const admin = useMay('knowledge');
  const client = useQueryClient();
  const form = useForm({
    stored: valuesOf(settings),
    save: ({ slug, ...values }) => call('help_centre.update', { ...values, slug: slug.trim() || null }),
    onSaved: (saved) => {
      client.setQueryData(helpCentreQuery.queryKey, saved);
      toast.success(t('help_saved'));
    },
  });
  const { slug } = form.values;
  const pages = settings.url.slice(0, settings.url.lastIndexOf('/') + 1);
  return (
    <form className="space-y-4" onSubmit={form.submit}>
      <TextField
        label={t('address')}
        hint={t('help_address_hint', { address: `${pages}${slug || '…'}` })}
        maxLength={60}
        disabled={!admin}
        placeholder="acme"
        {...form.text('slug')}
        onChange={({ target }) => form.set({ slug: target.value.toLowerCase().replace(/\s+/g, '-') })}
      />
      <TextField
        label={t('title')}
        hint={t('help_title_hint')}
        maxLength={HELP_TITLE_MAX}
        disabled={!admin}
        {...form.text('title')}
      />
      <TextArea
        label={t('help_welcome')}
        hint={t('help_welcome_hint')}
        maxLength={HELP_INTRO_MAX}
        disabled={!admin}
        {...form.text('intro')}
      />
      <FormError form={form} title={tCommon('not_saved')} />
      <LeaveGuard dirty={form.dirty} />
      {admin ? (
        <Button look="primary" type="submit" busy={form.saving} disabled={!form.dirty}>
          {tCommon('save')}
        </Button>
      ) : (
        <p className="text-soft">{t('admin_only')}</p>
      )}
    </form>
  );
}
