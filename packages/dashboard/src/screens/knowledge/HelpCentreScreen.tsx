import type { HelpSettings, InputOf } from '@foyer/protocol';
import { HELP_INTRO_MAX, HELP_TITLE_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { FormEvent } from 'react';
import { ApiError, call } from '../../api.ts';
import { base } from '../../base.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Bone } from '../../ui/States.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { complain, say } from '../../ui/toast-store.ts';
import { useForm } from '../settings/use-form.ts';
import { helpCentreQuery } from './help-centre-query.ts';
import { t } from './t.ts';

/** The pages on which everybody can read the published articles. */
export function HelpCentreScreen() {
  const { data, error, refetch } = useQuery(helpCentreQuery);
  return (
    <Page
      place="help-centre"
      title={t('help_centre')}
      intro={t('help_intro')}
      back={{ to: '/knowledge', label: base('nav_knowledge') }}
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
      ) : error ? (
        <ErrorNote error={error} title={t('help_failed')} onRetry={() => void refetch()} />
      ) : (
        <Bone className="late pulse-soft h-60" />
      )}
    </Page>
  );
}

function useChange(onSaved?: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<'help_centre.update'>) => call('help_centre.update', input),
    onSuccess: (saved) => {
      client.setQueryData(helpCentreQuery.queryKey, saved);
      onSaved?.();
    },
  });
}

const formOf = ({ slug, title, intro }: HelpSettings) => ({ slug: slug ?? '', title, intro });

function Settings({ settings }: { settings: HelpSettings }) {
  const isAdmin = useIsAdmin();
  const { form, dirty, set, forget } = useForm(formOf(settings));
  const save = useChange(() => say(t('help_saved')));
  const toggle = useChange();
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const pages = settings.url.slice(0, settings.url.lastIndexOf('/') + 1);
  const turn = (change: InputOf<'help_centre.update'>): void =>
    toggle.mutate(change, { onError: (error) => complain(t('help_unchanged'), error) });
  return (
    <>
      <Section title={t('help_who')}>
        <div className="space-y-4">
          <Toggle
            label={t('help_everybody')}
            hint={t('help_everybody_hint')}
            on={settings.enabled}
            disabled={!isAdmin}
            busy={toggle.isPending}
            onChange={(enabled) => turn({ enabled })}
          />
          <Toggle
            label={t('help_indexed')}
            hint={t('help_indexed_hint')}
            on={settings.indexed}
            disabled={!isAdmin}
            busy={toggle.isPending}
            onChange={(indexed) => turn({ indexed })}
          />
        </div>
      </Section>
      <Section title={t('help_look')} intro={t('help_look_hint')}>
        <form
          className="space-y-4"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            save.mutate({ ...form, slug: form.slug.trim() || null }, { onSuccess: forget });
          }}
        >
          <TextField
            label={t('address')}
            hint={t('help_address_hint', { address: `${pages}${form.slug || '…'}` })}
            maxLength={60}
            disabled={!isAdmin}
            placeholder="acme"
            value={form.slug}
            error={fields?.issue('slug')}
            onChange={(event) => set({ slug: event.target.value.toLowerCase().replace(/\s+/g, '-') })}
          />
          <TextField
            label={t('title')}
            hint={t('help_title_hint')}
            maxLength={HELP_TITLE_MAX}
            disabled={!isAdmin}
            value={form.title}
            error={fields?.issue('title')}
            onChange={(event) => set({ title: event.target.value })}
          />
          <TextArea
            label={t('help_welcome')}
            hint={t('help_welcome_hint')}
            maxLength={HELP_INTRO_MAX}
            disabled={!isAdmin}
            value={form.intro}
            error={fields?.issue('intro')}
            onChange={(event) => set({ intro: event.target.value })}
          />
          {save.error && !fields?.isOnlyOf(['slug', 'title', 'intro']) ? (
            <ErrorNote error={save.error} title={base('not_saved')} />
          ) : null}
          <LeaveGuard dirty={dirty} />
          {isAdmin ? (
            <Button look="primary" type="submit" busy={save.isPending} disabled={!dirty}>
              {base('save')}
            </Button>
          ) : (
            <p className="text-soft">{t('admin_only')}</p>
          )}
        </form>
      </Section>
    </>
  );
}
