import { AppError } from '../base/errors.ts';
import type { Limiter } from './limits.ts';

interface Refusal {
  /** @param retryAfterS whole seconds until the next attempt may be allowed */
  message(retryAfterS: number): string;
  /** For the desk, which has its own phrase for it, with the seconds as `count`. */
  reason?: 'attempts';
  /** From this share of the limit, the caller must solve a challenge. Undefined: the caller can't solve any. */
  challengedFrom?: number | undefined;
}

/** Counts an attempt. @throws AppError 429 with `retry-after`, for one too many */
export async function admit(
  limiter: Limiter,
  key: string,
  { message, reason, challengedFrom }: Refusal,
): Promise<void> {
  const { allowed, retryAfterS } = await limiter.take(key, 1, challengedFrom);
  if (allowed) return;
  throw new AppError('rate_limited', message(retryAfterS), {
    ...(reason && { reason, values: { count: retryAfterS } }),
    isSolvable: challengedFrom !== undefined,
    headers: { 'retry-after': String(retryAfterS) },
  });
}
