import type { SiteSettings as Site, Survey } from '@foyer/protocol';
import { SURVEY_QUESTION_MAX, SURVEY_THANKS_MAX } from '@foyer/protocol/bounds';
import { SURVEY_OCCASIONS, SURVEY_SCALES } from '@foyer/protocol/wire-names';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { ApiError, call } from '../../api.ts';
import { useMe } from '../../desk/DeskContext.tsx';
import { meQuery } from '../../queries.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { SelectField, TextArea, TextField } from '../../ui/Field.tsx';
import { Page, Section } from '../../ui/Page.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { say } from '../../ui/toast-store.ts';
import { AdminOnly } from './AdminOnly.tsx';
import { SaveRow } from './SaveRow.tsx';
import { SurveyPreview } from './SurveyPreview.tsx';
import { t } from './t.ts';
import { useForm } from './use-form.ts';

function useSave(survey: Survey) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('site.update', { survey }),
    onSuccess: (site) => {
      client.setQueryData(meQuery.queryKey, (me) => (me ? { ...me, site } : me));
      say(t('survey_saved'));
    },
  });
}

/** What visitors are asked after their chats: when, in which words, on which scale. */
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
      <AdminOnly>
        <SurveyForm site={site} />
      </AdminOnly>
    </Page>
  );
}

function SurveyForm({ site }: { site: Site }) {
  const { form: survey, dirty, set, forget } = useForm(site.survey);
  const save = useSave(survey);
  const fields = save.error instanceof ApiError ? save.error : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined, { onSuccess: forget });
  };
  return (
    <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="mb-8 xl:order-2">
        <SurveyPreview site={site} survey={survey} />
      </div>
      <form onSubmit={submit}>
        <Section title={t('survey_when')}>
          <SelectField
            bare
            label={t('survey_when')}
            frame="max-w-80"
            value={survey.ask}
            onChange={({ target }) =>
              set({ ask: SURVEY_OCCASIONS.find((one) => one === target.value) ?? 'always' })
            }
          >
            {SURVEY_OCCASIONS.map((one) => (
              <option key={one} value={one}>
                {t(`survey_${one}`)}
              </option>
            ))}
          </SelectField>
        </Section>
        <Section title={t('survey_words')} intro={t('survey_words_intro')}>
          <div className="space-y-4">
            <TextField
              label={t('survey_question')}
              hint={t('survey_question_hint')}
              maxLength={SURVEY_QUESTION_MAX}
              value={survey.question}
              error={fields?.issue('survey.question')}
              onChange={(event) => set({ question: event.target.value })}
            />
            <TextArea
              label={t('survey_thanks')}
              hint={t('survey_thanks_hint')}
              rows={2}
              maxLength={SURVEY_THANKS_MAX}
              value={survey.thanks}
              error={fields?.issue('survey.thanks')}
              onChange={(event) => set({ thanks: event.target.value })}
            />
          </div>
        </Section>
        <Section title={t('survey_scale')} intro={t('survey_scale_hint')}>
          <Segments
            label={t('survey_scale')}
            value={survey.scale}
            options={SURVEY_SCALES.map((value) => ({ value, label: t(`survey_${value}`) }))}
            onChange={(scale) => set({ scale })}
          />
        </Section>
        {save.error && !fields?.isOnlyOf(['survey.question', 'survey.thanks']) ? (
          <ErrorNote error={save.error} title={t('survey_not_saved')} className="mt-6" />
        ) : null}
        <SaveRow dirty={dirty} save={save} onUndo={forget} />
      </form>
    </div>
  );
}
