import { useMay, useMe } from '../../../desk/DeskContext.tsx';
import { Page, Section } from '../../../ui/Page.tsx';
import { AdminOnly } from '../AdminOnly.tsx';
import { SettingsForm } from '../SettingsForm.tsx';
import { useSiteForm } from '../use-site-form.ts';
import { LanguageSettings } from './LanguageSettings.tsx';
import { LookSection } from './LookSection.tsx';
import { PreChatEditor } from './PreChatEditor.tsx';
import { t } from './t.ts';
import { WidgetPreview } from './WidgetPreview.tsx';
import { widgetValues } from './widget-values.ts';

/** The widget's look, languages and questions, beside a preview. */
export function WidgetSettings() {
  const { site } = useMe();
  const admin = useMay('site');
  const form = useSiteForm({
    stored: widgetValues(site),
    input: (values) => values,
    done: t('saved'),
  });
  const { values, set } = form;
  return (
    <Page wide place="settings widget" title={t('title')} intro={t('intro')}>
      <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_26rem]">
        <div className="mb-8 xl:order-2">
          <WidgetPreview site={site} values={values} />
        </div>
        <div>
          <AdminOnly may="site">
            <SettingsForm form={form} failure={t('failed')}>
              <LookSection form={form} />
              <Section title={t('languages')} intro={t('languages_intro')}>
                <LanguageSettings
                  language={values.language}
                  languages={values.languages}
                  disabled={!admin}
                  onChange={set}
                />
              </Section>
              <Section title={t('questions')} intro={t('questions_intro')}>
                <PreChatEditor
                  fields={values.pre_chat}
                  issueOf={(path) => form.issue(`pre_chat.${path}`)}
                  onChange={(pre_chat) => set({ pre_chat })}
                />
              </Section>
            </SettingsForm>
          </AdminOnly>
        </div>
      </div>
    </Page>
  );
}
