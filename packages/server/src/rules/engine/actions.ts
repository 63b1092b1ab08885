import type { MacroAction, RuleAction } from '@foyer/protocol';

type OwnAction = Extract<RuleAction, { type: 'stop_bot' | 'start_bot' }>;

const OWN: ReadonlySet<string> = new Set<OwnAction['type']>(['stop_bot', 'start_bot']);

/** Whether macros have this action too. */
export const isMacroAction = (action: RuleAction): action is MacroAction => !OWN.has(action.type);

/** The actions that macros have too. */
export const macroActionsOf = (actions: readonly RuleAction[]): MacroAction[] =>
  actions.filter(isMacroAction);
