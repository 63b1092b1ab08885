import type { WeeklyHours } from '@foyer/protocol';
import { NAME_MAX, PROACTIVE_TEXT_MAX } from '@foyer/protocol/values/bounds';
import { LANGUAGES } from '@foyer/protocol/values/languages';
import { PROACTIVE_HOURS } from '@foyer/protocol/values/proactive/proactive-names';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMe } from '../../../desk/DeskContext.tsx';
import { FormError } from '../../../forms/FormError.tsx';
import { FormFoot } from '../../../forms/FormFoot.tsx';
import type { Form } from '../../../forms/use-form.ts';
import { languageName } from '../../../language-name.ts';
import { agentsQuery } from '../../../queries.ts';
import { CheckField, SelectField, TextArea, TextField } from '../../../ui/forms/Field.tsx';
import { Toggle } from '../../../ui/forms/Toggle.tsx';
import { Section } from '../../../ui/Page.tsx';
import { segmentsQuery } from '../../visitors/visitor-queries.ts';
import { firstHours } from '../hours/HoursFields.tsx';
import { WeekHours } from '../hours/WeekHours.tsx';
import { BubblePreview } from './BubblePreview.tsx';
import { hasHours, isComplete, type ProactiveValues } from './proactive-values.ts';
import { t } from './t.ts';

interface FormProps {
  form: Form<ProactiveValues>;
}

/** Name, text, pages, audience and schedule of a proactive message. */
export function ProactiveForm({ form, isNew = false }: FormProps & { isNew?: boolean }) {
  const { values } = form;
  return (
    <form onSubmit={form.submit}>
      <div className="mb-8 max-w-160 space-y-6">
        <TextField
          label={t('name')}
          hint={t('name_hint')}
          required
          autoFocus={isNew}
          maxLength={NAME_MAX}
          {...form.text('name')}
        />
        <Toggle
          label={t('enabled')}
          hint={t('enabled_hint')}
          on={values.enabled}
          onChange={(enabled) => form.set({ enabled })}
        />
      </div>
      <Section title={t('content')} intro={t('content_intro')}>
        <div className="grid max-w-240 items-start gap-6 lg:grid-cols-[1fr_22rem]">
          <Content form={form} />
          <BubblePreview values={values} />
        </div>
      </Section>
      <Section title={t('where')}>
        <Where form={form} />
      </Section>
      <Section title={t('who')} intro={t('once')}>
        <Audience form={form} />
      </Section>
      <Section title={t('schedule')}>
        <Schedule form={form} />
      </Section>
      <FormError form={form} title={t('not_saved')} className="mt-6" />
      <FormFoot form={form} isNew={isNew} disabled={!isComplete(values)} discard={t('discard')}>
        {t(isNew ? 'create' : 'save')}
      </FormFoot>
    </form>
  );
}

/** The sender, and a text for each language that has one or was added. */
function Content({ form }: FormProps) {
  const { texts } = form.values;
  const agents = useQuery(agentsQuery).data?.agents ?? [];
  const missing = LANGUAGES.filter((language) => texts[language] === undefined);
  return (
    <div className="space-y-4">
      <SelectField
        label={t('sender')}
        any={t('sender_bot')}
        options={agents.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.text('sender', 'sender_id')}
      />
      {LANGUAGES.filter((language) => texts[language] !== undefined).map((language) => (
        <TextArea
          key={language}
          label={t('text_in', { language: languageName(language) })}
          lang={language}
          maxLength={PROACTIVE_TEXT_MAX}
          value={texts[language]}
          error={form.issue(`texts.${language}`)}
          onChange={({ target: { value } }) => form.set({ texts: { ...texts, [language]: value } })}
        />
      ))}
      <SelectField
        label={t('add_language')}
        bare
        any={t('add_language')}
        options={missing.map((language) => ({ value: language, label: languageName(language) }))}
        value=""
        frame="max-w-60"
        onChange={({ target: { value } }) => value && form.set({ texts: { ...texts, [value]: '' } })}
      />
    </div>
  );
}

function Where({ form }: FormProps) {
  return (
    <div className="max-w-160 space-y-4">
      <TextArea
        label={t('pages')}
        hint={t('pages_hint')}
        placeholder="/pricing"
        className="font-mono text-[13px]"
        {...form.text('pages')}
      />
      <TextArea
        label={t('except_pages')}
        rows={2}
        className="font-mono text-[13px]"
        {...form.text('except_pages')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t('after_s')} inputMode="numeric" {...form.text('after_s')} />
        <TextField label={t('min_visits')} inputMode="numeric" {...form.text('min_visits')} />
      </div>
    </div>
  );
}

function Audience({ form }: FormProps) {
  const { languages, segments } = form.values;
  const known = useQuery(segmentsQuery).data?.items ?? [];
  return (
    <div className="max-w-160 space-y-4">
      {known.length > 0 ? (
        <Choices
          legend={t('segments')}
          hint={t('segments_hint')}
          options={known.map(({ id, name }) => ({ value: id, label: <bdi>{name}</bdi> }))}
          chosen={segments}
          onChange={(next) => form.set({ segments: next })}
        />
      ) : null}
      <Choices
        legend={t('languages')}
        hint={t('languages_hint')}
        options={LANGUAGES.map((one) => ({
          value: one,
          label: <span lang={one}>{languageName(one)}</span>,
        }))}
        chosen={languages}
        onChange={(next) => form.set({ languages: next })}
      />
      <TextField
        label={t('quiet_hours')}
        hint={t('quiet_hint')}
        inputMode="numeric"
        className="max-w-40"
        {...form.text('quiet_hours')}
      />
    </div>
  );
}

interface ChoicesProps<T> {
  legend: string;
  hint: string;
  options: readonly { value: T; label: ReactNode }[];
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
}

function Choices<T extends string | number>({ legend, hint, options, chosen, onChange }: ChoicesProps<T>) {
  const values = options.map(({ value }) => value);
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{legend}</legend>
      <p className="mb-2 text-soft">{hint}</p>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {options.map(({ value, label }) => (
          <CheckField
            key={value}
            label={label}
            checked={chosen.includes(value)}
            onChange={({ target: { checked } }) =>
              onChange(values.filter((other) => (other === value ? checked : chosen.includes(other))))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}

function Schedule({ form }: FormProps) {
  return (
    <>
      <div className="grid max-w-160 gap-4 sm:grid-cols-3">
        <TextField label={t('from_date')} type="date" {...form.text('from_date')} />
        <TextField label={t('until_date')} type="date" {...form.text('until_date')} />
        <SelectField
          label={t('hours')}
          options={PROACTIVE_HOURS.map((value) => ({ value, label: t(`hours_${value}`) }))}
          {...form.text('hours')}
        />
      </div>
      <div className="mt-6 max-w-160">
        <Week form={form} />
      </div>
    </>
  );
}

/** The hours of the week at which it is shown, if not at all of them. */
function Week({ form }: FormProps) {
  const { site } = useMe();
  const { weekly } = form.values;
  const hoursOf = (): WeeklyHours => (site.office_hours ?? firstHours()).weekly;
  return (
    <>
      <Toggle
        label={t('weekly')}
        hint={t('weekly_hint', { zone: site.time_zone.replaceAll('_', ' ') })}
        on={weekly !== null}
        onChange={(on) => form.set({ weekly: on ? hoursOf() : null })}
      />
      {weekly ? (
        <fieldset className="mt-4">
          <legend className="sr-only">{t('weekly')}</legend>
          <WeekHours
            weekly={weekly}
            none={t('weekly_none')}
            issueOf={(day) => form.issue(`weekly.${day}`)}
            onChange={(next) => form.set({ weekly: next })}
          />
          {hasHours(form.values) ? null : <p className="mt-2 text-danger-text">{t('weekly_empty')}</p>}
        </fieldset>
      ) : null}
    </>
  );
}
