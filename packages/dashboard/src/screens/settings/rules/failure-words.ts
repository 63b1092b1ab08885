import type { Rule, RuleRun } from '@foyer/protocol';
import { errorSentence } from '../../../errors/error-words.ts';
import { t } from './t.ts';

const said = ({ code, message, reason, values }: NonNullable<RuleRun['failure']>): string =>
  errorSentence({ code, message, ...(reason && { reason }), ...(values && { values }) });

/** Why a run failed or was stopped. Runs from before the server stored more have its own words. */
export const runFailure = ({ failure, message }: RuleRun): string | null =>
  failure ? said(failure) : message;

/** Why Foyer switched a rule off; undefined if it didn't. */
export const disabledWords = ({
  disabled_reason: reason,
  disabled_failure: failure,
}: Rule): string | undefined =>
  reason === null ? undefined : t('disabled', { reason: failure ? said(failure) : reason });
