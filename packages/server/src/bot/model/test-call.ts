import type { OutputOf } from '@foyer/protocol';
import { findModelRow } from '../../ai/site-models.ts';
import type { SiteContext } from '../../core/context.ts';
import { countingTokens, takeUse, usesSpent } from '../copilot/copilot-model.ts';
import { problemOf } from './problem.ts';

type Tested = OutputOf<'language_model.test'>;

/** Below the timeout of browsers. */
const TEST_MAX_MS = 15_000;
const ANSWER_MAX_CHARS = 200;

const REQUEST = {
  instructions: 'You are being tested. Answer with one word.',
  messages: [{ role: 'user', content: 'Say "ready".' }],
  maxChars: ANSWER_MAX_CHARS,
} as const;

/** The provider's message without the key, which some repeat. */
function withoutKey(detail: string | null, key: string | undefined): string | null {
  return detail === null || key === undefined ? detail : detail.replaceAll(key, '…');
}

/**
 * Asks the site's language model one tiny question. Messages of the operator's provider aren't passed on.
 * @throws AppError 429 for too many texts a day
 */
export async function testLanguageModel(ctx: SiteContext): Promise<Tested> {
  const row = await findModelRow(ctx);
  const { languageModels, vault } = ctx.services;
  const isOwn = Boolean(row?.provider);
  const model = await languageModels.of(ctx);
  if (model === undefined) {
    const problem = isOwn && !row?.off_at ? 'key_unreadable' : 'no_model';
    return { problem, detail: null, duration_ms: 0 };
  }
  if (!(await takeUse(ctx))) throw usesSpent();
  const key = isOwn && row?.key_cipher ? vault.open(row.key_cipher) : undefined;
  const started = performance.now();
  const duration = (): number => Math.round(performance.now() - started);
  const signal = AbortSignal.timeout(TEST_MAX_MS);
  try {
    await countingTokens(ctx, () => model.write({ ...REQUEST, signal }));
    return { problem: null, detail: null, duration_ms: duration() };
  } catch (error) {
    const found = problemOf(error, signal.aborted);
    const detail = isOwn ? withoutKey(found?.detail ?? null, key) : null;
    return { problem: found?.problem ?? null, detail, duration_ms: duration() };
  }
}
