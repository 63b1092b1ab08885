import type { DeskIssue, StoredFailure } from '@foyer/protocol';
import { ISSUE_REASONS, type IssueReason } from '@foyer/protocol/errors';
import { refusalSentence, SERVER_LANGUAGE } from '@foyer/protocol/values/refusals/refusal-sentence';
import { language, wordsOf } from '../language.ts';
import { t } from './t.ts';

/** Defaults for every phrase's placeholders. */
const NO_VALUES = { name: '', count: 0 };

const say = wordsOf({
  en: () => import('@foyer/protocol/values/refusals/en'),
  de: () => import('@foyer/protocol/values/refusals/de'),
});

// A newer server may have more reasons.
const isIssueReason = (value: unknown): value is IssueReason =>
  ISSUE_REASONS.some((reason) => reason === value);

/** The server's error as a sentence in the agent's language. */
export const errorSentence = (error: StoredFailure): string => refusalSentence(error, language(), say);

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
