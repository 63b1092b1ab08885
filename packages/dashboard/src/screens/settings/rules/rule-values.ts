import type { Rule, RuleAction, RuleTrigger } from '@foyer/protocol';
import { type KeyedStep, keyed } from '../../../forms/StepList.tsx';
import {
  conditionsOf,
  type DraftFault,
  draftOf,
  faultsOf,
  type GroupDraft,
  newGroup,
} from '../../visitors/segments/rule-draft.ts';
import { faultOf } from '../macros/steps.ts';

/** A rule in its form. */
export interface RuleValues {
  name: string;
  trigger: RuleTrigger;
  /** Without parts: always. */
  draft: GroupDraft;
  steps: KeyedStep<RuleAction>[];
  final: boolean;
}

export type RuleParts = Pick<Rule, 'name' | 'trigger' | 'conditions' | 'actions' | 'final'>;

export const NEW_RULE: RuleParts = {
  name: '',
  trigger: { on: 'conversation_started' },
  conditions: null,
  actions: [],
  final: false,
};

/** The form's values of a rule. Its parts get keys of their own, so it is called once for each version of a rule. */
export function valuesOf({ name, trigger, conditions, actions, final }: RuleParts): RuleValues {
  const draft = conditions && draftOf(conditions);
  return {
    name,
    trigger,
    draft: draft?.type === 'group' ? draft : newGroup('all', []),
    steps: actions.map((action) => keyed(action)),
    final,
  };
}

/** The errors of the conditions. */
export const conditionFaults = ({ draft }: RuleValues): DraftFault[] =>
  draft.parts.length === 0 ? [] : faultsOf(draft);

export const actionsOf = ({ steps }: RuleValues): RuleAction[] => steps.map(({ step }) => step);

/** Whether everything but the name is filled in. */
export const isComplete = (values: RuleValues): boolean =>
  values.steps.length > 0 &&
  conditionFaults(values).length === 0 &&
  actionsOf(values).every((action) => faultOf(action) === undefined);

/** The input of a save, from values without errors. */
export const inputOf = (values: RuleValues): RuleParts => ({
  name: values.name.trim(),
  trigger: values.trigger,
  conditions: values.draft.parts.length === 0 ? null : conditionsOf(values.draft),
  actions: actionsOf(values),
  final: values.final,
});
