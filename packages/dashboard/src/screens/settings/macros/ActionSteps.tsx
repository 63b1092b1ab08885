import type { RuleAction } from '@foyer/protocol';
import { type KeyedStep, StepList } from '../../../forms/StepList.tsx';
import { StepFields } from './StepFields.tsx';
import { newStep, stepWord } from './steps.ts';
import { t } from './t.ts';

interface ActionStepsProps<K extends RuleAction['type']> {
  steps: readonly KeyedStep<Extract<RuleAction, { type: K }>>[];
  max: number;
  kinds: readonly K[];
  /** The error of a step, as a sentence. */
  faultAt: (at: number) => string | undefined;
  onChange: (steps: KeyedStep<Extract<RuleAction, { type: K }>>[]) => void;
}

/** What a macro or rule does, in its order. */
export const ActionSteps = <K extends RuleAction['type']>({
  steps,
  max,
  kinds,
  faultAt,
  onChange,
}: ActionStepsProps<K>) => (
  <StepList
    steps={steps}
    max={max}
    titleOf={(action, at) => t('step', { number: at + 1, step: stepWord(action.type) })}
    words={{
      nothing: t('nothing_yet'),
      add: t('add'),
      up: (step) => t('move_up', { step }),
      down: (step) => t('move_down', { step }),
      remove: (step) => t('remove', { step }),
    }}
    kinds={kinds.map((kind) => ({ label: stepWord(kind), create: () => newStep(kind) }))}
    fields={(step, at, change) => <StepFields step={step} fault={faultAt(at)} onChange={change} />}
    onChange={onChange}
  />
);
