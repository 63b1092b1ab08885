import { MODEL_PROBLEMS, type ModelProblem } from '@foyer/protocol/values/wire-names';
import { z } from 'zod';
import { ModelError } from '../../ai/language-model.ts';
import { codeOf, reasonOf } from '../../net/exchange-error.ts';

const DETAIL_MAX_CHARS = 500;
/** Chains of causes are short; a circular one ends here. */
const CAUSES_MAX = 10;

interface Problem {
  readonly problem: ModelProblem;
  /** The provider's message. */
  readonly detail: string | null;
}

/** As the AI SDK throws it. */
const refusal = z.object({ statusCode: z.int(), responseBody: z.string().optional() });
/** The error format of OpenAI, Anthropic and compatible servers. */
const said = z.object({ error: z.union([z.string(), z.object({ message: z.string() })]) });

/** An error with its chain of causes, outermost first. */
function chainOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < CAUSES_MAX; at = at.cause) chain.push(at);
  return chain;
}

function detailOf(body: string | undefined): string | null {
  if (!body) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return null;
  }
  const { error } = said.safeParse(parsed).data ?? {};
  const text = typeof error === 'string' ? error : error?.message;
  return text ? text.slice(0, DETAIL_MAX_CHARS).toWellFormed().replaceAll('\0', '') : null;
}

function ofStatus(status: number, detail: string | null): ModelProblem {
  const namesModel = /model/i.test(detail ?? '');
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404) return namesModel ? 'unknown_model' : 'not_found';
  if (status === 400 && namesModel && /unknown|invalid model|not found|not exist/i.test(detail ?? ''))
    return 'unknown_model';
  if (status === 402 || status === 429) return 'rate_limited';
  if (status >= 300 && status < 400) return 'redirect';
  if (status >= 500) return 'provider_failed';
  return 'rejected';
}

/** By Node's error codes: below HTTP, failures have one. */
function ofCodes(chain: readonly Error[]): ModelProblem {
  const reason = chain.map(reasonOf).find((found) => found !== undefined);
  const known = MODEL_PROBLEMS.find((problem) => problem === reason);
  if (known) return known;
  const code = chain.map(codeOf).find((found) => found !== '') ?? '';
  if (/^ERR_(TLS|SSL)/.test(code)) return 'no_tls';
  // A response came, but not in a model's format.
  return code === '' || code.startsWith('HPE_') ? 'not_an_api' : 'failed';
}

/** The problem of a model that threw this when it was asked; undefined if it did write. */
export function problemOf(error: unknown, isTooLate: boolean): Problem | undefined {
  if (error instanceof ModelError && error.hasWritten) return undefined;
  if (isTooLate) return { problem: 'too_late', detail: null };
  const chain = chainOf(error);
  for (const one of chain) {
    const { data } = refusal.safeParse(one);
    // A connection that breaks within a response comes with the response's status.
    if (data && data.statusCode >= 300) {
      const detail = detailOf(data.responseBody);
      return { problem: ofStatus(data.statusCode, detail), detail };
    }
  }
  return { problem: ofCodes(chain), detail: null };
}
