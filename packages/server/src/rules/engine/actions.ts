import { isRuleOnly, type MacroAction, type RuleAction } from '@foyer/protocol';
import { assertHas } from '../../core/access/permissions.ts';
import type { SiteContext } from '../../core/context.ts';

/** Whether macros have this action too. */
export const isMacroAction = (action: RuleAction): action is MacroAction => !isRuleOnly(action);

/** The actions that macros have too. */
export const macroActionsOf = (actions: readonly RuleAction[]): MacroAction[] =>
  actions.filter(isMacroAction);

/**
 * A rule acts for the site, also after its author has left or got another role. So the person who saves it must be
 * allowed to do the same by hand.
 * @throws AppError 403
 */
export function assertMayAutomate(ctx: SiteContext, actions: readonly RuleAction[]): void {
  assertHas(ctx, 'answer');
  if (actions.some(({ type }) => type === 'block')) assertHas(ctx, 'people');
}
