import type { ReceivedMail } from '@foyer/protocol';
import { t } from './t.ts';

const REASONS = [
  'spam',
  'bulk',
  'automatic',
  'flood',
  'loop',
  'blocked_sender',
  'no_sender',
  'empty',
  'too_large',
  'too_many_parts',
  'nested_too_deeply',
  'headers_too_large',
  'too_complex',
  'unreadable',
  'auto_reply',
  'own_mail',
  'delivery_report',
  'undelivered',
  'unknown_mail',
  'same_mail',
  'ticket_closed',
  'error',
] as const;

/** Why a mail is where it is; the code itself for one of another version. */
export function reasonWords(reason: string): string {
  const known = REASONS.find((one) => one === reason);
  return known ? t(`reason_${known}`) : reason;
}

const TONES = {
  ticket: 'good',
  reply: 'good',
  suspended: 'warn',
  failed: 'danger',
  rejected: 'danger',
} as const;

/** How an outcome's badge looks. */
export const toneOf = (outcome: ReceivedMail['outcome']): 'good' | 'warn' | 'danger' | 'plain' =>
  outcome in TONES ? TONES[outcome as keyof typeof TONES] : 'plain';
