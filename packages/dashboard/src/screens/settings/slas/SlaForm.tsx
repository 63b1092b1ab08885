import type { SlaTarget } from '@foyer/protocol';
import { NAME_MAX } from '@foyer/protocol/values/bounds';
import { SLA_HOURS, SLA_KINDS, SLA_PAUSES, SLA_TARGETS } from '@foyer/protocol/values/tickets/sla-names';
import { TICKET_PRIORITIES } from '@foyer/protocol/values/wire-names';
import { FormError } from '../../../forms/FormError.tsx';
import { FormFoot } from '../../../forms/FormFoot.tsx';
import type { Form } from '../../../forms/use-form.ts';
import { CheckField, SelectField, TextField } from '../../../ui/forms/Field.tsx';
import { Section } from '../../../ui/Page.tsx';
import { useFilterOptions } from '../../inbox/filters/FilterFields.tsx';
import { t as tFilter } from '../../inbox/filters/t.ts';
import { priorityWord } from '../../inbox/ticket/ticket-words.ts';
import { areTimesRight, cellOf, minutesOf, type SlaValues } from './sla-values.ts';
import { t } from './t.ts';

interface SlaFormProps {
  form: Form<SlaValues>;
  isNew?: boolean;
}

const CONDITIONS = ['priority', 'team', 'tag', 'segment'] as const;
const PATHS = { priority: 'priority', team: 'team_id', tag: 'tag', segment: 'segment' };

/** Name, conditions, targets and hours of an SLA policy. */
export function SlaForm({ form, isNew = false }: SlaFormProps) {
  const { values } = form;
  return (
    <form onSubmit={form.submit}>
      <div className="mb-8">
        <TextField
          label={t('name')}
          required
          autoFocus={isNew}
          maxLength={NAME_MAX}
          frame="max-w-120"
          {...form.text('name')}
        />
      </div>
      <Section title={t('applies')}>
        <Kinds form={form} />
        <Conditions form={form} />
      </Section>
      <Section title={t('targets')} intro={t('targets_intro')}>
        <Targets form={form} />
      </Section>
      <Section title={t('counting')}>
        <Counting form={form} />
      </Section>
      <FormError form={form} title={t('not_saved')} className="mt-6" />
      <FormFoot
        form={form}
        isNew={isNew}
        disabled={values.name.trim() === '' || values.kinds.length === 0 || !areTimesRight(values)}
        discard={t('discard')}
      >
        {t(isNew ? 'create' : 'save')}
      </FormFoot>
    </form>
  );
}

/** Tickets, chats, or both. */
function Kinds({ form }: { form: Form<SlaValues> }) {
  const { kinds } = form.values;
  return (
    <fieldset className="mb-4">
      <legend className="sr-only">{t('kinds')}</legend>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        {SLA_KINDS.map((kind) => (
          <CheckField
            key={kind}
            label={t(`kind_${kind}`)}
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              form.set({
                kinds: SLA_KINDS.filter((one) => (one === kind ? target.checked : kinds.includes(one))),
              })
            }
          />
        ))}
      </div>
      {kinds.includes('chats') ? <p className="mt-1 text-soft">{t('kinds_hint')}</p> : null}
    </fieldset>
  );
}

/** Fields of the inbox's filter. */
function Conditions({ form }: { form: Form<SlaValues> }) {
  const options = useFilterOptions({});
  return (
    <>
      <p className="mb-3 max-w-xl text-soft">{t('conditions_intro')}</p>
      <div className="grid max-w-160 gap-3 sm:grid-cols-2">
        {CONDITIONS.map((name) => (
          <SelectField
            key={name}
            label={tFilter(`field_${name}`)}
            any={t('any')}
            options={options[name]}
            {...form.text(name, `conditions.${PATHS[name]}`)}
          />
        ))}
      </div>
    </>
  );
}

const faultOf = (typed: string): string | undefined =>
  minutesOf(typed) === undefined ? t('wrong_time') : undefined;

/** A time for each target and priority. On a phone the targets are one below the other. */
function Targets({ form }: { form: Form<SlaValues> }) {
  return (
    <div className="max-w-160 space-y-6">
      {SLA_TARGETS.map((target) => (
        <fieldset key={target}>
          <legend className="mb-1 font-medium">{t(`target_${target}`)}</legend>
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-4">
            {TICKET_PRIORITIES.toReversed().map((priority) => (
              <Cell key={priority} form={form} target={target} priority={priority} />
            ))}
          </div>
        </fieldset>
      ))}
    </div>
  );
}

interface CellProps {
  form: Form<SlaValues>;
  target: SlaTarget;
  priority: (typeof TICKET_PRIORITIES)[number];
}

function Cell({ form, target, priority }: CellProps) {
  const { times } = form.values;
  const cell = cellOf(target, priority);
  const typed = times[cell] ?? '';
  return (
    <TextField
      label={priorityWord(priority)}
      autoComplete="off"
      placeholder="–"
      className="tabular"
      value={typed}
      fault={faultOf(typed)}
      error={form.issue(`targets.${target}.${priority}`)}
      onChange={({ target: { value } }) => form.set({ times: { ...times, [cell]: value } })}
    />
  );
}

/** Hours, warning and pauses. */
function Counting({ form }: { form: Form<SlaValues> }) {
  const { warn, pauses } = form.values;
  return (
    <div className="space-y-4">
      <SelectField
        label={t('hours')}
        frame="max-w-100"
        options={SLA_HOURS.map((value) => ({ value, label: t(`hours_${value}`) }))}
        {...form.text('hours')}
      />
      <TextField
        label={t('warn')}
        hint={t('warn_hint')}
        autoComplete="off"
        frame="max-w-100"
        className="tabular max-w-40"
        {...form.text('warn', 'warn_minutes')}
        fault={faultOf(warn)}
      />
      <fieldset>
        <legend className="mb-1 font-medium">{t('pauses')}</legend>
        <div className="space-y-1">
          {SLA_PAUSES.map((pause) => (
            <CheckField
              key={pause}
              label={t(`pause_${pause}`)}
              checked={pauses.includes(pause)}
              onChange={({ target }) =>
                form.set({
                  pauses: SLA_PAUSES.filter((one) => (one === pause ? target.checked : pauses.includes(one))),
                })
              }
            />
          ))}
        </div>
        <p className="mt-1 text-soft">{t('pauses_hint')}</p>
      </fieldset>
    </div>
  );
}
