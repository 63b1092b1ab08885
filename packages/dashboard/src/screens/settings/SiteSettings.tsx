import type { SiteSettings as Site } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import type { FormEvent } from 'react';
import { ApiError, call } from '../../api.ts';
import { useIsAdmin, useMe } from '../../desk/DeskContext.tsx';
import { meQuery } from '../../queries.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField, TextArea, TextField } from '../../ui/Field.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Callout } from '../../ui/States.tsx';
import { say } from '../../ui/toast-store.ts';
import { AdminOnly } from './AdminOnly.tsx';
import { FileLimits, type Limits } from './FileLimits.tsx';
import { faultOfLines, linesOf } from './lines.ts';
import { SaveRow } from './SaveRow.tsx';
import { t } from './t.ts';
import { useForm } from './use-form.ts';
import { withValue } from './with-value.ts';

const WAITS_S = [0, 30, 60, 120, 180, 300, 600, 1800, 3600];

const waitWords = (seconds: number): string => {
  if (seconds === 0) return t('wait_none');
  return seconds < 60 ? t('wait_seconds', { number: seconds }) : t('wait_minutes', { number: seconds / 60 });
};

interface Form {
  name: string;
  origins: string;
  wait: number;
  files: Limits;
}

const formOf = (site: Site): Form => ({
  name: site.name,
  origins: site.allowed_origins.join('\n'),
  wait: site.email_offer_after_s,
  files: { bytes: site.upload_max_bytes, files: site.upload_max_files, kinds: site.upload_kinds },
});

function useSave(form: Form) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      call('site.update', {
        name: form.name,
        allowed_origins: linesOf(form.origins),
        email_offer_after_s: form.wait,
        upload_max_bytes: form.files.bytes,
        upload_max_files: form.files.files,
        upload_kinds: form.files.kinds,
      }),
    onSuccess: (site) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site } : me));
      say(t('saved'));
    },
  });
}

/** The site itself, and where its chat may be shown. */
export function SiteSettings() {
  const { site } = useMe();
  const { form, dirty, set, forget } = useForm(formOf(site));
  const admin = useIsAdmin();
  const save = useSave(form);
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: forget });
  };
  return (
    <Page place="settings site" title={t('site_title')} intro={t('site_intro')}>
      <AdminOnly>
        <form onSubmit={submit}>
          <TextField
            label={t('name')}
            required
            maxLength={NAME_MAX}
            frame="mb-8 max-w-80"
            value={form.name}
            error={fields?.issue('name')}
            onChange={(event) => set({ name: event.target.value })}
          />
          <Section title={t('waiting')} intro={t('waiting_intro')}>
            <SelectField
              label={t('ask_after')}
              frame="max-w-60"
              hint={t('ask_after_hint')}
              value={form.wait}
              onChange={(event) => set({ wait: Number(event.target.value) })}
            >
              {withValue(WAITS_S, form.wait).map((seconds) => (
                <option key={seconds} value={seconds}>
                  {waitWords(seconds)}
                </option>
              ))}
            </SelectField>
          </Section>
          <FileLimits limits={form.files} disabled={!admin} onChange={(files) => set({ files })} />
          <Section title={t('origins')} intro={t('origins_intro')}>
            {linesOf(form.origins).length === 0 ? (
              <div className="mb-3">
                <Callout tone="warn" icon={<TriangleAlert aria-hidden />}>
                  {t('origins_none')}
                </Callout>
              </div>
            ) : null}
            <TextArea
              bare
              label={t('origins')}
              rows={4}
              placeholder="https://shop.example"
              className="font-mono text-[13px]"
              hint={t('origins_hint')}
              value={form.origins}
              fault={faultOfLines(
                { text: form.origins, label: t('origins'), path: 'allowed_origins' },
                fields,
              )}
              onChange={(event) => {
                // The server counts the lines that it was sent.
                if (save.error) save.reset();
                set({ origins: event.target.value });
              }}
            />
          </Section>
          {save.error && !fields?.isOnlyOf(['name', 'allowed_origins']) ? (
            <ErrorNote error={save.error} title={t('site_failed')} className="mt-6" />
          ) : null}
          <SaveRow dirty={dirty} save={save} onUndo={forget} />
        </form>
      </AdminOnly>
    </Page>
  );
}
