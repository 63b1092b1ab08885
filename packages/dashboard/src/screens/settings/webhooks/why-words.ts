import { readWebhookSentence } from '@foyer/protocol/values/webhook-sentences';
import { t } from './t.ts';

/** Defaults for every phrase's placeholders. */
const NO_VALUES = { days: '', name: '', seconds: '', code: '', status: '' };

/** Why a webhook was disabled or an attempt failed, in the agent's language; unknown sentences stay as they are. */
export function whySaid(sentence: string): string {
  const why = readWebhookSentence(sentence);
  return why ? t(`why_${why.reason}`, { ...NO_VALUES, ...why.values }) : sentence;
}
