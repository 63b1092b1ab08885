import type { AuditEntry } from '@foyer/protocol';
import { t } from './t.ts';

/** The part of an operation's name after the dot; `sign_in` is about a person's own account. */
const DONE = [
  'create',
  'update',
  'delete',
  'upload',
  'remove',
  'refuse',
  'revoke',
  'rotate',
  'invite',
  'revoke_invitation',
  'join',
  'set',
  'clear',
  'switch',
  'set_role',
  'set_chat_limit',
  'set_ticket_limit',
  'set_skills',
  'set_logo',
  'remove_picture',
  'set_plan',
  'sign_out',
  'reset_two_factor',
  'erase',
  'export',
  'import',
  'move',
  'merge',
  'accept',
  'block_address',
  'block_domain',
  'undo_block',
  'process_again',
  'block',
  'unblock',
  'provider',
  'provisioned',
  'rotate_saml_key',
  'rotate_scim_token',
  'remove_scim_token',
  'refused',
  'password',
  'code',
  'backup_code',
  'passkey',
  'passkey_added',
  'passkey_removed',
  'password_changed',
  'password_reset',
  'two_factor_begun',
  'two_factor_on',
  'two_factor_off',
  'backup_codes_renewed',
  'device_ended',
  'others_ended',
  'failed',
  'locked',
] as const;

/** Operations whose verb alone would be misleading. */
const NAMED = new Map<string, 'did_move_training' | 'did_write_first' | 'did_export'>([
  ['training_moves.start', 'did_move_training'],
  ['sessions.start', 'did_write_first'],
  ['exports.get', 'did_export'],
]);

/** Who did it: a person or token by its current name, or a part of Foyer. */
export function whoOf({ actor }: AuditEntry): string {
  if (actor.kind === 'agent') return actor.name ?? `#${actor.id}`;
  if (actor.kind === 'token') return t('by_token', { name: actor.name ?? `#${actor.id}` });
  return t(`by_${actor.kind}`);
}

/** What was done; unknown operations of another version are shown as they are. */
export function doneOf({ action }: AuditEntry): string {
  const named = NAMED.get(action);
  if (named) return t(named);
  const verb = DONE.find((known) => action.endsWith(`.${known}`));
  return verb ? t(`did_${verb}`) : action;
}
