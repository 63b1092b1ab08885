import type { ImportFailure } from '@foyer/protocol';
import { DOCUMENT_PROBLEMS } from '@foyer/protocol/values/wire-names';
import { t } from './t.ts';

/** What fills the gaps of every phrase, before a problem's own values. */
const NO_VALUES = { name: '', number: 0, index: 0, line: 0 };

/** Why a document can't be taken, in the agent's language; a server that is newer than this page may know more. */
export function problemWords({ message, reason, values }: ImportFailure): string {
  return DOCUMENT_PROBLEMS.includes(reason) ? t(`problem_${reason}`, { ...NO_VALUES, ...values }) : message;
}
