import type { DeskErrorBody, DeskIssue, ErrorCode, ReasonValues } from '@foyer/protocol';
import { ERROR_REASONS, type ErrorReason, ISSUE_REASONS, type IssueReason } from '@foyer/protocol/errors';
import { TICKET_STATUSES } from '@foyer/protocol/values/wire-names';
import { language } from '../language.ts';
import { t } from './t.ts';

/** The server's own messages: an error without a reason says more than its code. */
const SERVER_LANGUAGE = 'en';
const RESET_COMMAND = 'npx foyer user reset-two-factor';

/** Defaults for every phrase's placeholders. */
const NO_VALUES = {
  name: '',
  count: 0,
  megabytes: 0,
  from: '',
  to: '',
  user: '',
  detail: '',
  command: RESET_COMMAND,
};

function stateWord(value: unknown): string {
  const state = TICKET_STATUSES.find((one) => one === value);
  return state ? t(`state_${state}`) : '';
}

// A newer server may have more reasons.
const isErrorReason = (value: unknown): value is ErrorReason =>
  ERROR_REASONS.some((reason) => reason === value);
const isIssueReason = (value: unknown): value is IssueReason =>
  ISSUE_REASONS.some((reason) => reason === value);

function reasonWords(reason: ErrorReason, values: ReasonValues = {}): string {
  const filled = { ...NO_VALUES, ...values };
  return t(`reason_${reason}`, {
    ...filled,
    from: stateWord(values.from),
    to: stateWord(values.to),
    name: values.name === '' ? t('somebody') : filled.name,
  });
}

/** The server's error as a sentence in the agent's language. */
export function errorSentence({ code, message, reason, values }: ErrorToSay): string {
  if (isErrorReason(reason)) return reasonWords(reason, values);
  return language() === SERVER_LANGUAGE ? message : t(`code_${code}`);
}
type ErrorToSay = Pick<DeskErrorBody, 'message' | 'reason' | 'values'> & { code: ErrorCode };

/** A field's error, worded to follow its label. */
function issueWords({ message, reason, values = {} }: DeskIssue): string {
  if (isIssueReason(reason)) return t(`issue_${reason}`, { ...NO_VALUES, ...values });
  return language() === SERVER_LANGUAGE ? message : t('issue_wrong');
}

/** The fields' errors in the agent's language. */
export const issuesInWords = (issues: readonly DeskIssue[] = []): DeskIssue[] =>
  issues.map((issue) => ({ ...issue, message: issueWords(issue) }));

/** The browser's own validation error. Those without words here keep the browser's. */
export function fieldSentence(field: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement): string {
  const { validity, type, validationMessage } = field;
  if (validity.valueMissing) return t('field_missing');
  if (validity.typeMismatch && type === 'email') return t('field_email');
  if (validity.typeMismatch && type === 'url') return t('field_url');
  if (validity.tooShort && 'minLength' in field) return t('field_short', { count: field.minLength });
  return validationMessage;
}
