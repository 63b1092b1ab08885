import type { MacroAction } from '../tickets/macros.ts';

/** The actions of a macro that a chat has too. Solving means closing it; the other statuses and priorities are a ticket's. */
export type ChatMacroAction =
  | Extract<MacroAction, { type: 'reply' | 'note' | 'assign' | 'add_tags' | 'remove_tags' | 'snooze' }>
  | { type: 'set_status'; status: 'solved' | 'closed' };

/** Whether applying a macro to a chat does this; what it doesn't do is left out and shown as such. */
export function worksInChat(action: MacroAction): action is MacroAction & ChatMacroAction {
  switch (action.type) {
    case 'set_status':
      return action.status === 'solved' || action.status === 'closed';
    case 'set_priority':
      return false;
    default:
      return true;
  }
}
