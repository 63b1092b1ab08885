import { CONDITIONS_MAX, NAME_MAX, RULE_ACTIONS_MAX } from '@foyer/protocol/values/bounds';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormError } from '../../../forms/FormError.tsx';
import { FormFoot } from '../../../forms/FormFoot.tsx';
import type { Form } from '../../../forms/use-form.ts';
import { CheckField, TextField } from '../../../ui/forms/Field.tsx';
import { Section } from '../../../ui/Page.tsx';
import { customFieldsQuery, fieldsOf } from '../../fields/fields-query.ts';
import { useFilterOptions } from '../../inbox/filters/FilterFields.tsx';
import { GroupFields } from '../../visitors/segments/RuleFields.tsx';
import { countConditions, withPart } from '../../visitors/segments/rule-draft.ts';
import { fieldsQuery } from '../../visitors/visitor-queries.ts';
import { ActionSteps } from '../macros/ActionSteps.tsx';
import { faultOf, RULE_STEPS } from '../macros/steps.ts';
import { conditionFaults, isComplete, type RuleValues } from './rule-values.ts';
import { TriggerFields } from './TriggerFields.tsx';
import { t } from './t.ts';

interface RuleFormProps {
  form: Form<RuleValues>;
  isNew?: boolean;
}

/** Name, trigger, conditions and actions of a rule. */
export function RuleForm({ form, isNew = false }: RuleFormProps) {
  const { values } = form;
  const [isTried, setTried] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isComplete(values)) form.save();
      }}
    >
      <TextField
        label={t('name')}
        required
        autoFocus={isNew}
        maxLength={NAME_MAX}
        frame="mb-8 max-w-120"
        {...form.text('name')}
      />
      <Section title={t('starts')}>
        <TriggerFields trigger={values.trigger} onChange={(trigger) => form.set({ trigger })} />
      </Section>
      <Section
        title={t('conditions')}
        intro={values.draft.parts.length === 0 ? t('conditions_none') : undefined}
      >
        <Conditions form={form} isTried={isTried} />
      </Section>
      <Section title={t('does')} intro={t('does_intro')}>
        <Actions form={form} isTried={isTried} />
        <CheckField className="mt-6" label={t('final')} hint={t('final_hint')} {...form.checkbox('final')} />
      </Section>
      <FormError form={form} title={t('not_saved')} className="mt-6" />
      <FormFoot form={form} isNew={isNew} disabled={values.name.trim() === ''} discard={t('discard')}>
        {t(isNew ? 'create' : 'save')}
      </FormFoot>
    </form>
  );
}

interface PartProps {
  form: Form<RuleValues>;
  /** Whether it was tried to save: from then on, everything that is missing is shown. */
  isTried: boolean;
}

function Conditions({ form, isTried }: PartProps) {
  const { data: fields } = useQuery(fieldsQuery);
  const records = useFilterOptions({});
  const found = useQuery(customFieldsQuery).data?.items;
  const custom = [...fieldsOf(found, 'chats'), ...fieldsOf(found, 'tickets')];
  const { draft } = form.values;
  const refused = form.issue('conditions');
  return (
    <>
      <GroupFields
        group={draft}
        depth={1}
        building={{
          fields,
          records,
          custom,
          faults: isTried ? conditionFaults(form.values) : [],
          isFull: countConditions(draft) >= CONDITIONS_MAX,
          change: (id, change) => form.set({ draft: withPart(draft, id, change) }),
        }}
      />
      {refused ? <p className="mt-2 text-danger-text">{refused}</p> : null}
    </>
  );
}

function Actions({ form, isTried }: PartProps) {
  const { steps } = form.values;
  return (
    <>
      <ActionSteps
        steps={steps}
        max={RULE_ACTIONS_MAX}
        kinds={RULE_STEPS}
        faultAt={(at) => {
          const action = steps[at]?.step;
          const refused = form.issue(`actions.${at}`);
          if (!action) return undefined;
          const hasText = 'body' in action && action.body.trim() !== '';
          return (isTried || hasText ? faultOf(action) : undefined) ?? refused;
        }}
        onChange={(changed) => form.set({ steps: changed })}
      />
      {isTried && steps.length === 0 ? <p className="mt-2 text-danger-text">{t('no_actions')}</p> : null}
    </>
  );
}
