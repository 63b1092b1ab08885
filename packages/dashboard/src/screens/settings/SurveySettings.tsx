import type { SiteSettings as Site } from '@foyer/protocol';
import { SURVEY_QUESTION_MAX, SURVEY_THANKS_MAX } from '@foyer/protocol/values/bounds';
import { SURVEY_OCCASIONS, SURVEY_SCALES } from '@foyer/protocol/values/wire-names';
import { Link } from '@tanstack/react-router';
import { useMe } from '../../desk/DeskContext.tsx';
import { SelectField, TextArea, TextField } from '../../ui/forms/Field.tsx';
import { Segments } from '../../ui/forms/Segments.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { AdminOnly } from './AdminOnly.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { SurveyPreview } from './SurveyPreview.tsx';
import { t } from './t.ts';
import { useSiteForm } from './use-site-form.ts';

/** The survey after a chat: when, in which words, on which scale. */
export function SurveySettings() {
  const { site } = useMe();
  return (
    <Page
      wide
      place="settings survey"
      title={t('survey_title')}
      intro={t('survey_intro')}
      actions={
        <Link to="/reports" search={{ report: 'satisfaction' }} className="py-1 text-accent-text underline">
          {t('survey_results')}
        </Link>
      }
    >
      <AdminOnly may="site">
        <SurveyForm site={site} />
      </AdminOnly>
    </Page>
  );
}

function SurveyForm({ site }: { site: Site }) {
  const form = useSiteForm({
    stored: site.survey,
    input: (survey) => ({ survey }),
    path: 'survey',
    done: t('survey_saved'),
  });
  const { values, set } = form;
  return (
    <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="mb-8 xl:order-2">
        <SurveyPreview site={site} survey={values} />
      </div>
      <SettingsForm form={form} failure={t('survey_not_saved')}>
        <Section title={t('survey_when')}>
          <SelectField
            bare
            label={t('survey_when')}
            frame="max-w-80"
            {...form.text('ask')}
            options={SURVEY_OCCASIONS.map((one) => ({ value: one, label: t(`survey_${one}`) }))}
          />
        </Section>
        <Section title={t('survey_words')} intro={t('survey_words_intro')}>
          <div className="space-y-4">
            <TextField
              label={t('survey_question')}
              hint={t('survey_question_hint')}
              maxLength={SURVEY_QUESTION_MAX}
              {...form.text('question')}
            />
            <TextArea
              label={t('survey_thanks')}
              hint={t('survey_thanks_hint')}
              rows={2}
              maxLength={SURVEY_THANKS_MAX}
              {...form.text('thanks')}
            />
          </div>
        </Section>
        <Section title={t('survey_scale')} intro={t('survey_scale_hint')}>
          <Segments
            label={t('survey_scale')}
            value={values.scale}
            options={SURVEY_SCALES.map((value) => ({ value, label: t(`survey_${value}`) }))}
            onChange={(scale) => set({ scale })}
          />
        </Section>
      </SettingsForm>
    </div>
  );
}
