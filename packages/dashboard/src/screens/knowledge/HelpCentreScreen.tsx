import type { HelpSettings, InputOf } from '@foyer/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { ApiError, call } from '../../api.ts';
import { useIsAdmin } from '../../desk/DeskContext.tsx';
import { Button, buttonLook } from '../../ui/Button.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { TextArea, TextField } from '../../ui/Field.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Bone } from '../../ui/States.tsx';
import { Toggle } from '../../ui/Toggle.tsx';
import { complain, say } from '../../ui/toast-store.ts';

const KEY = ['help-centre'];

/** The pages on which everybody can read the published articles. */
export function HelpCentreScreen() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('help_centre.get', {}, signal),
  });
  return (
    <Page
      place="help-centre"
      title="Help centre"
      intro="Your published articles as pages that everybody can read and search, with your chat on them."
      back={{ to: '/knowledge', label: 'Knowledge' }}
      actions={
        data?.enabled ? (
          <a href={data.url} target="_blank" rel="noreferrer" className={buttonLook()}>
            <ExternalLink aria-hidden className="size-4" />
            Open it
          </a>
        ) : null
      }
    >
      {data ? (
        <Settings key={data.url} settings={data} />
      ) : error ? (
        <ErrorNote error={error} title="The settings could not be loaded." onRetry={() => void refetch()} />
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
      client.setQueryData(KEY, saved);
      onSaved?.();
    },
  });
}

function Settings({ settings }: { settings: HelpSettings }) {
  const isAdmin = useIsAdmin();
  const [form, setForm] = useState({
    slug: settings.slug ?? '',
    title: settings.title,
    intro: settings.intro,
  });
  const save = useChange(() => say('Saved. Readers see it now.'));
  const toggle = useChange();
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const base = settings.url.slice(0, settings.url.lastIndexOf('/') + 1);
  const set = (change: Partial<typeof form>): void => setForm({ ...form, ...change });
  const turn = (change: InputOf<'help_centre.update'>): void =>
    toggle.mutate(change, { onError: (error) => complain('It was not changed', error) });
  return (
    <>
      <Section title="Who sees it">
        <div className="space-y-4">
          <Toggle
            label="Open to everybody"
            hint="Off, its pages are not there. The bot answers from your articles all the same."
            on={settings.enabled}
            disabled={!isAdmin}
            onChange={(enabled) => turn({ enabled })}
          />
          <Toggle
            label="Listed by search engines"
            hint="Off, its pages ask them not to."
            on={settings.indexed}
            disabled={!isAdmin}
            onChange={(indexed) => turn({ indexed })}
          />
        </div>
      </Section>
      <Section title="How it looks" intro="Its colour and language are those of your site.">
        <form
          className="space-y-4"
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            save.mutate({ ...form, slug: form.slug.trim() || null });
          }}
        >
          <TextField
            label="Address"
            hint={`${base}${form.slug || '…'} — letters, digits and hyphens. The address before leads on.`}
            maxLength={60}
            disabled={!isAdmin}
            placeholder="acme"
            value={form.slug}
            error={fields?.issue('slug')}
            onChange={(event) => set({ slug: event.target.value.toLowerCase().replace(/\s+/g, '-') })}
          />
          <TextField
            label="Title"
            hint="Empty: made of your site’s name."
            maxLength={80}
            disabled={!isAdmin}
            value={form.title}
            error={fields?.issue('title')}
            onChange={(event) => set({ title: event.target.value })}
          />
          <TextArea
            label="Welcome"
            hint="Stands above the search."
            maxLength={300}
            disabled={!isAdmin}
            value={form.intro}
            error={fields?.issue('intro')}
            onChange={(event) => set({ intro: event.target.value })}
          />
          {save.error && !(fields && fields.issues.length > 0) ? (
            <ErrorNote error={save.error} title="It was not saved." />
          ) : null}
          {isAdmin ? (
            <Button look="primary" type="submit" busy={save.isPending}>
              Save
            </Button>
          ) : (
            <p className="text-soft">Only an admin changes it.</p>
          )}
        </form>
      </Section>
    </>
  );
}
