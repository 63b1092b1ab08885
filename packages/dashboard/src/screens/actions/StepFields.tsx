import type { ActionInput, ActionStep, ActionStepOf } from '@foyer/protocol';
import { ACTION_LABEL_MAX, ACTION_TEXT_MAX, ACTION_VALUE_MAX } from '@foyer/protocol/values/bounds';
import { ACTION_INPUT_KINDS, CONDITION_OPERATORS } from '@foyer/protocol/values/wire-names';
import { CheckField, SelectField, TextArea, TextField } from '../../ui/forms/Field.tsx';
import { phrasesOf } from '../settings/lines.ts';
import { CallFields } from './CallFields.tsx';
import { stepSentence } from './steps.ts';
import { t } from './t.ts';

interface StepFieldsProps<S extends ActionStep = ActionStep> {
  step: S;
  steps: readonly ActionStep[];
  fault: string | undefined;
  onChange: (step: ActionStep) => void;
}

/** What a step says, asks for, calls or decides. */
export function StepFields({ step, ...rest }: StepFieldsProps) {
  const { fault, onChange } = rest;
  switch (step.type) {
    case 'ask':
      return <AskFields step={step} {...rest} />;
    case 'call':
      return (
        <>
          <CallFields step={step} onChange={onChange} />
          <Fault fault={fault} />
        </>
      );
    case 'if':
      return <ConditionFields step={step} {...rest} />;
    case 'end':
      return <Fault fault={fault} />;
    default:
      return (
        <TextArea
          label={t(step.type === 'handoff' ? 'handoff_text' : 'text')}
          hint={step.type === 'confirm' ? t('confirm_hint') : undefined}
          rows={2}
          maxLength={ACTION_TEXT_MAX}
          value={step.text}
          fault={fault}
          onChange={({ target }) => onChange({ ...step, text: target.value })}
        />
      );
  }
}

/** The server's errors of a step. */
const Fault = ({ fault }: { fault: string | undefined }) =>
  fault ? (
    <p role="alert" className="mt-2 text-danger-text">
      {fault}
    </p>
  ) : null;

const numberIn = (text: string): number | null =>
  text.trim() === '' || Number.isNaN(Number(text)) ? null : Number(text);

function AskFields({ step, fault, onChange }: StepFieldsProps<ActionStepOf<'ask'>>) {
  const { input } = step;
  const set = (change: Partial<ActionInput>): void => onChange({ ...step, input: { ...input, ...change } });
  return (
    <div className="space-y-3">
      <TextField
        label={t('question')}
        maxLength={ACTION_TEXT_MAX}
        placeholder={t('question_example')}
        value={step.question}
        onChange={({ target }) => onChange({ ...step, question: target.value })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={t('kind')}
          hint={input.kind === 'code' ? t('kind_code_hint') : undefined}
          value={input.kind}
          onChange={({ target }) =>
            set({ kind: ACTION_INPUT_KINDS.find((kind) => kind === target.value) ?? 'text' })
          }
          options={ACTION_INPUT_KINDS.map((value) => ({ value, label: t(`kind_${value}`) }))}
        />
        <TextField
          label={t('variable')}
          hint={t('variable_hint', { name: `{{${input.name}}}` })}
          maxLength={40}
          spellCheck={false}
          value={input.name}
          onChange={({ target }) => set({ name: target.value.toLowerCase().replace(/[^a-z0-9_]/g, '_') })}
        />
      </div>
      <Limits input={input} set={set} />
      <CheckField
        label={t('required')}
        checked={input.required}
        onChange={({ target }) => set({ required: target.checked })}
      />
      <CheckField
        label={t('masked')}
        checked={input.masked}
        onChange={({ target }) => set({ masked: target.checked })}
      />
      <Fault fault={fault} />
    </div>
  );
}

interface LimitsProps {
  input: ActionInput;
  set: (change: Partial<ActionInput>) => void;
}

const BOUND_WORDS = {
  number: { min: 'min_number', max: 'max_number' },
  length: { min: 'min_length', max: 'max_length' },
} as const;

/** How long or large an answer may be, or which choices there are. */
function Limits({ input, set }: LimitsProps) {
  const hasBounds = input.kind === 'text' || input.kind === 'code' || input.kind === 'number';
  return (
    <>
      {hasBounds ? (
        <div className="grid gap-3 sm:grid-cols-2">
          {(['min', 'max'] as const).map((bound) => (
            <TextField
              key={bound}
              label={t(BOUND_WORDS[input.kind === 'number' ? 'number' : 'length'][bound])}
              inputMode="numeric"
              value={input[bound] ?? ''}
              onChange={({ target }) => set({ [bound]: numberIn(target.value) })}
            />
          ))}
        </div>
      ) : null}
      {input.kind === 'choice' ? (
        <TextArea
          label={t('choices')}
          hint={t('choices_hint')}
          rows={3}
          maxLength={10 * ACTION_LABEL_MAX}
          defaultValue={input.choices.join('\n')}
          onChange={({ target }) => set({ choices: phrasesOf(target.value) })}
        />
      ) : null}
    </>
  );
}

function ConditionFields({ step, steps, fault, onChange }: StepFieldsProps<ActionStepOf<'if'>>) {
  const needsValue = step.operator !== 'has_value' && step.operator !== 'has_no_value';
  return (
    <div className="space-y-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <TextField
          label={t('field')}
          spellCheck={false}
          maxLength={100}
          value={step.field}
          onChange={({ target }) => onChange({ ...step, field: target.value })}
        />
        <SelectField
          label={t('operator')}
          value={step.operator}
          onChange={({ target }) =>
            onChange({ ...step, operator: CONDITION_OPERATORS.find((one) => one === target.value) ?? 'is' })
          }
          options={CONDITION_OPERATORS.map((value) => ({ value, label: t(`operator_${value}`) }))}
        />
        {needsValue ? (
          <TextField
            label={t('value')}
            maxLength={ACTION_VALUE_MAX}
            value={step.value}
            onChange={({ target }) => onChange({ ...step, value: target.value })}
          />
        ) : null}
      </div>
      <SelectField
        label={t('go_to')}
        hint={t('go_to_hint')}
        value={step.go_to}
        onChange={({ target }) => onChange({ ...step, go_to: target.value })}
        options={steps.map((other, at) => ({
          value: other.id,
          label: t('step', { number: at + 1, step: stepSentence(other, steps) }),
        }))}
      />
      <Fault fault={fault} />
    </div>
  );
}
