import type { ImportFailure } from '@foyer/protocol';
import { DOCUMENT_PROBLEMS } from '@foyer/protocol/values/wire-names';
import { t } from './t.ts';

/** Defaults for every phrase's placeholders. */
const NO_VALUES = { name: '', number: 0, index: 0, line: 0 };

/** Why a document can't be imported, in the agent's language. A newer server may have more reasons. */
export function problemWords({ message, reason, values }: ImportFailure): string {
  return DOCUMENT_PROBLEMS.includes(reason) ? t(`problem_${reason}`, { ...NO_VALUES, ...values }) : message;
}
