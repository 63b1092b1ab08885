import type { SiteSettings as Site } from '@foyer/protocol';
import { GREETING_MAX, LAUNCHER_TEXT_MAX, PICTURE_MAX_BYTES } from '@foyer/protocol/bounds';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ApiError, call } from '../../../api.ts';
import { useIsAdmin, useMe } from '../../../desk/DeskContext.tsx';
import { meQuery } from '../../../queries.ts';
import { ErrorNote } from '../../../ui/ErrorNote.tsx';
import { TextArea, TextField } from '../../../ui/Field.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { PictureField } from '../../../ui/PictureField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { Toggle } from '../../../ui/Toggle.tsx';
import { say } from '../../../ui/toast-store.ts';
import { AdminOnly } from '../AdminOnly.tsx';
import { SaveRow } from '../SaveRow.tsx';
import { useForm } from '../use-form.ts';
import { ColorField } from './ColorField.tsx';
import { LanguageSettings } from './LanguageSettings.tsx';
import { PreChatEditor } from './PreChatEditor.tsx';
import { t } from './t.ts';
import { WidgetPreview } from './WidgetPreview.tsx';

export type WidgetForm = Pick<
  Site,
  | 'color'
  | 'position'
  | 'theme'
  | 'launcher_text'
  | 'greeting'
  | 'sound'
  | 'typing_preview'
  | 'language'
  | 'languages'
  | 'pre_chat'
>;

const formOf = (site: Site): WidgetForm => ({
  color: site.color,
  position: site.position,
  theme: site.theme,
  launcher_text: site.launcher_text,
  greeting: site.greeting,
  sound: site.sound,
  typing_preview: site.typing_preview,
  language: site.language,
  languages: site.languages,
  pre_chat: site.pre_chat,
});

/** Those that say themselves what is wrong with them. */
const fieldsIn = ({ pre_chat }: WidgetForm): string[] => [
  'color',
  'launcher_text',
  'greeting',
  ...pre_chat.flatMap((_, at) => ['label', 'attribute', 'options'].map((name) => `pre_chat.${at}.${name}`)),
];

function useSave(form: WidgetForm) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('site.update', form),
    onSuccess: (site) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site } : me));
      say(t('saved'));
    },
  });
}

/** How the chat looks, what it speaks and what it asks first, beside the chat itself as it will be. */
export function WidgetSettings() {
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
    <Page wide place="settings widget" title={t('title')} intro={t('intro')}>
      <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="mb-8 xl:order-2">
          <WidgetPreview site={site} form={form} />
        </div>
        <div>
          <AdminOnly>
            <form onSubmit={submit}>
              <Section title={t('look')}>
                <div className="space-y-4">
                  <ColorField
                    color={form.color}
                    error={fields?.issue('color')}
                    onChange={(color) => set({ color })}
                  />
                  <Logo site={site} />
                  <Choice
                    label={t('theme')}
                    hint={t('theme_hint')}
                    value={form.theme}
                    options={[
                      { value: 'auto', label: t('theme_auto') },
                      { value: 'light', label: t('theme_light') },
                      { value: 'dark', label: t('theme_dark') },
                    ]}
                    onChange={(theme) => set({ theme })}
                  />
                  <Choice
                    label={t('corner')}
                    value={form.position}
                    options={[
                      { value: 'left', label: t('left') },
                      { value: 'right', label: t('right') },
                    ]}
                    onChange={(position) => set({ position })}
                  />
                  <TextField
                    label={t('launcher')}
                    hint={t('launcher_hint')}
                    maxLength={LAUNCHER_TEXT_MAX}
                    frame="max-w-80"
                    value={form.launcher_text}
                    error={fields?.issue('launcher_text')}
                    onChange={(event) => set({ launcher_text: event.target.value })}
                  />
                  <TextArea
                    label={t('greeting')}
                    hint={t('greeting_hint')}
                    required
                    maxLength={GREETING_MAX}
                    value={form.greeting}
                    error={fields?.issue('greeting')}
                    onChange={(event) => set({ greeting: event.target.value })}
                  />
                  <Toggle
                    label={t('sound')}
                    hint={t('sound_hint')}
                    on={form.sound}
                    disabled={!admin}
                    onChange={(sound) => set({ sound })}
                  />
                  <Toggle
                    label={t('typing')}
                    hint={t('typing_hint')}
                    on={form.typing_preview}
                    disabled={!admin}
                    onChange={(typing_preview) => set({ typing_preview })}
                  />
                </div>
              </Section>
              <Section title={t('languages')} intro={t('languages_intro')}>
                <LanguageSettings
                  language={form.language}
                  languages={form.languages}
                  disabled={!admin}
                  onChange={(change) => set(change)}
                />
              </Section>
              <Section title={t('questions')} intro={t('questions_intro')}>
                <PreChatEditor
                  fields={form.pre_chat}
                  issues={fields?.issues ?? []}
                  onChange={(pre_chat) => set({ pre_chat })}
                />
              </Section>
              {save.error && !fields?.isOnlyOf(fieldsIn(form)) ? (
                <ErrorNote error={save.error} title={t('failed')} className="mt-6" />
              ) : null}
              <SaveRow dirty={dirty} save={save} onUndo={forget} />
            </form>
          </AdminOnly>
        </div>
      </div>
    </Page>
  );
}

function Logo({ site }: { site: Site }) {
  const admin = useIsAdmin();
  const client = useQueryClient();
  const save = async (content: string | null): Promise<void> => {
    const changed = await call('site.set_logo', { content });
    client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site: changed } : me));
    say(t('saved'));
  };
  return (
    <PictureField
      label={t('logo')}
      hint={t('logo_hint', { megabytes: PICTURE_MAX_BYTES / 1024 ** 2 })}
      isSet={site.logo_url !== null}
      disabled={!admin}
      preview={
        site.logo_url === null ? (
          <span
            aria-hidden
            className="grid size-12 place-items-center rounded-lg bg-pressed font-semibold text-soft uppercase"
          >
            {[...site.name][0]}
          </span>
        ) : (
          <img src={site.logo_url} alt={t('logo_alt')} className="size-12 rounded-lg object-contain" />
        )
      }
      save={save}
    />
  );
}

interface ChoiceProps<T extends string> {
  label: string;
  hint?: string;
  value: T;
  options: { value: T; label: string }[];
  onChange: (value: T) => void;
}

function Choice<T extends string>({ label, hint, ...rest }: ChoiceProps<T>) {
  return (
    <div>
      <p aria-hidden className="mb-1 font-medium">
        {label}
      </p>
      <Segments label={label} {...rest} />
      {hint ? <p className="mt-1 text-soft">{hint}</p> : null}
    </div>
  );
}
