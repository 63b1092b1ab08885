import { lengthOf } from '../../../times.ts';
import { t } from './t.ts';

/** Calm, then amber once the team is warned, then red: beside words, never instead of them. */
export function dueLook(dueUtc: string, warnUtc: string | null, now: number): string {
  if (Date.parse(dueUtc) <= now) return 'text-danger-text';
  return warnUtc !== null && Date.parse(warnUtc) <= now ? 'text-warn-text' : '';
}

/** `Due in 3 h`, `Late by 2 d` */
export function dueWords(dueUtc: string, now: number): string {
  const left = Date.parse(dueUtc) - now;
  return left > 0 ? t('due_in', { time: lengthOf(left) }) : t('late_by', { time: lengthOf(-left) });
}
