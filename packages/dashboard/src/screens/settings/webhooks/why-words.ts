import { readWebhookSentence } from '@foyer/protocol/values/webhook-sentences';
import { t } from './t.ts';

/** What fills the gaps of every phrase, before a sentence's own values. */
const NO_VALUES = { days: '', name: '', seconds: '', code: '', status: '' };

/** Why a webhook was disabled or an attempt failed, in the agent's language; what can't be read stays as it is. */
export function whySaid(sentence: string): string {
  const why = readWebhookSentence(sentence);
  return why ? t(`why_${why.reason}`, { ...NO_VALUES, ...why.values }) : sentence;
}
