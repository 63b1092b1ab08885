import { readProviderProblem } from '@foyer/protocol/values/sign-in/single-sign-on';
import { t } from './t.ts';

/** Defaults for every phrase's placeholders. */
const NO_VALUES = { host: '', url: '', status: '', issuer: '', detail: '' };

/** Why a test fails, in the agent's language; unknown sentences stay as they are. */
export function problemSaid(sentence: string): string {
  const read = readProviderProblem(sentence);
  return read ? t(`problem_${read.reason}`, { ...NO_VALUES, ...read.values }) : sentence;
}
