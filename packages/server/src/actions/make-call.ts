import type { ActionMethod, ActionStep, ActionStepOf } from '@foyer/protocol';
import type { Selectable } from 'kysely';
import type { Services, SiteContext } from '../core/context.ts';
import type { Tables } from '../db/tables.generated.ts';
import type { Exchange, OutgoingRequest, Sender } from '../net/sender.ts';
import { inputsOf } from './check-action.ts';
import { openHeaders } from './headers.ts';
import { parsedJson, resultFields } from './result-fields.ts';
import { fillJson, fillUrl, type Values } from './template.ts';

/** A longer answer isn't read. */
const ANSWER_MAX_BYTES = 64 * 1024;
/** "Order not found", "can no longer be cancelled": the entered value may be wrong; the receiver works. */
const REFUSED = new Set([400, 404, 409, 410, 422]);

type Callable = Pick<Selectable<Tables['actions']>, 'steps' | 'headers_cipher'>;

declare module '../core/context.ts' {
  interface Services {
    /** Makes the calls of actions, through the address guard. */
    readonly actions: Pick<Sender, 'send'>;
  }
}

export type Outcome =
  | { readonly kind: 'answered'; readonly fields: Values }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed' }
  /** The call may or may not have changed something; only for methods that change something. */
  | { readonly kind: 'unknown' };

/** A request as it was sent, and its outcome. */
export interface Called {
  readonly request: { readonly method: ActionMethod; readonly url: string; readonly body: string | null };
  readonly exchange: Exchange;
  readonly outcome: Outcome;
}

const failedBefore = (error: string): Exchange => ({ statusCode: null, error, durationMs: 0, excerpt: null });

function requestOf(
  { vault }: Services,
  { steps, headers_cipher }: Callable,
  step: ActionStepOf<'call'>,
  values: Values,
  key: string,
): (OutgoingRequest & { text: string | null }) | undefined {
  const url = fillUrl(step.url, values);
  if (url === undefined) return undefined;
  const numbers = new Set(inputsOf(steps).flatMap(({ name, kind }) => (kind === 'number' ? [name] : [])));
  const text = step.body === '' ? null : fillJson(step.body, values, numbers);
  return {
    url,
    method: step.method,
    once: true,
    maxBytes: ANSWER_MAX_BYTES,
    timeoutMs: step.timeout_s * 1_000,
    body: Buffer.from(text ?? ''),
    text,
    headers: {
      ...openHeaders(vault, headers_cipher)[step.id],
      accept: 'application/json',
      'user-agent': 'Foyer-Actions/1',
      'idempotency-key': key,
      ...(text === null ? {} : { 'content-type': 'application/json' }),
    },
  };
}

/** What an exchange means: an answer is JSON, or nothing at all. */
function outcomeOf(method: ActionMethod, exchange: Exchange): { error: string | null; outcome: Outcome } {
  const { statusCode, error, excerpt, isCut } = exchange;
  const mayHaveChanged = method !== 'GET' && (statusCode === null || statusCode >= 500 || error === null);
  const failed = { kind: mayHaveChanged ? 'unknown' : 'failed' } as const;
  if (statusCode !== null && REFUSED.has(statusCode)) return { error, outcome: { kind: 'refused' } };
  if (error !== null) return { error, outcome: failed };
  if (isCut) return { error: `The response is over ${ANSWER_MAX_BYTES / 1024} KiB.`, outcome: failed };
  if (excerpt === null || excerpt.trim() === '') return { error, outcome: { kind: 'answered', fields: {} } };
  const parsed = parsedJson(excerpt);
  if (parsed === undefined) return { error: "The response isn't JSON.", outcome: failed };
  return { error, outcome: { kind: 'answered', fields: resultFields(parsed.value) } };
}

/**
 * Makes one call, at most once, under `key` as its Idempotency-Key. Never throws: the receiver's failure is data.
 * @param values the given values, and the visitor's own
 */
export async function makeCall(
  { services }: SiteContext,
  action: Callable,
  step: ActionStepOf<'call'>,
  values: Values,
  key: string,
): Promise<Called> {
  const { method } = step;
  const made = requestOf(services, action, step, values, key);
  if (made === undefined) {
    const exchange = failedBefore('A value is empty, or would change the path of the URL.');
    return { request: { method, url: step.url, body: null }, exchange, outcome: { kind: 'refused' } };
  }
  const { text, ...request } = made;
  const exchange = await services.actions.send(request);
  const { error, outcome } = outcomeOf(method, exchange);
  return {
    request: { method, url: request.url, body: text },
    exchange: { ...exchange, error },
    outcome,
  };
}

/** The call of an action with this id. */
export const callStep = (steps: readonly ActionStep[], id: string): ActionStepOf<'call'> | undefined =>
  steps.find((step): step is ActionStepOf<'call'> => step.type === 'call' && step.id === id);
