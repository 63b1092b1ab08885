import type { MacroAction } from '../tickets/macros.ts';

/**
 * The macro actions that chats have, too. Solving means closing; other statuses and priorities exist only for
 * tickets.
 */
export type ChatMacroAction =
  | Extract<
      MacroAction,
      {
        type:
          | 'reply'
          | 'note'
          | 'assign'
          | 'assign_team'
          | 'add_tags'
          | 'remove_tags'
          | 'snooze'
          | 'set_field'
          | 'send_email'
          | 'call_webhook'
          | 'block';
      }
    >
  | { type: 'set_status'; status: 'solved' | 'closed' };

/** Whether applying a macro to a chat runs this action. Others are skipped and shown as such. */
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
