import {
  type LanguageModel,
  ModelError,
  type ModelRequest,
  type TokenCount,
} from '../../ai/language-model.ts';
import type { Turn } from '../bot-turn.ts';
import type { ReplyCheck, Withheld } from './reply-check.ts';
import { type ModelReply, readReply, WRITTEN_MAX_CHARS } from './reply-format.ts';

/** How often people who follow the chat are shown the progress of an answer. */
const SHOWN_EVERY_MS = 120;
const ALIVE_EVERY_MS = 5_000;

/** A checked reply of a model, or why there is none. */
export interface WrittenReply {
  readonly reply: ModelReply | undefined;
  readonly result: 'withheld' | 'unreadable' | 'failed' | undefined;
  readonly problem: Withheld | undefined;
  readonly tokens: TokenCount | undefined;
}

type Refused = Pick<WrittenReply, 'result' | 'problem'>;

/** The problem of a reply, or of the part of it so far. */
function refusalOf(
  written: string,
  check: ReplyCheck,
  isWhole: boolean,
): Refused | { reply: ModelReply } | undefined {
  const read = readReply(written, isWhole);
  if (read.kind === 'pending') return undefined;
  if (read.kind === 'unreadable')
    return { result: 'unreadable', problem: { problem: read.problem, detail: null } };
  if (isWhole && read.kind === 'answer' && read.text === '')
    return { result: 'unreadable', problem: { problem: 'format', detail: null } };
  // A question back and small talk are short: they are shown once they are complete.
  if (!isWhole && (read.kind !== 'answer' || read.text === '')) return undefined;
  const reply = !isWhole && read.kind === 'answer' ? { ...read, text: check.heldBack(read.text) } : read;
  const problem = check.problemWith(reply);
  return problem === undefined ? { reply } : { result: 'withheld', problem };
}

/**
 * Lets the model write, and shows an answer as it grows, as far as it has been checked. The first unsupported statement
 * stops the model and removes what was shown.
 */
export async function writeReply(
  { ctx, show }: Turn,
  model: LanguageModel,
  prompt: Pick<ModelRequest, 'instructions' | 'messages'>,
  check: ReplyCheck,
): Promise<WrittenReply> {
  const stopped = new AbortController();
  let refused: Refused | undefined;
  let shownAt = 0;
  let shown = '';
  const onText = (soFar: string): void => {
    const found = refusalOf(soFar, check, false);
    if (found === undefined || refused !== undefined) return;
    if (!('reply' in found)) {
      refused = found;
      stopped.abort();
      return;
    }
    const { reply } = found;
    if (reply.kind !== 'answer' || reply.text === shown || performance.now() - shownAt < SHOWN_EVERY_MS)
      return;
    shownAt = performance.now();
    shown = reply.text;
    show?.(shown);
  };
  // Shows those who wait for the first word that an answer is being written.
  const alive = setInterval(() => show?.(shown), ALIVE_EVERY_MS);
  try {
    show?.('');
    const { signal } = stopped;
    const { text, tokens } = await model.write({ ...prompt, maxChars: WRITTEN_MAX_CHARS, signal, onText });
    const found = refusalOf(text, check, true);
    if (found !== undefined && 'reply' in found)
      return { reply: found.reply, result: undefined, problem: undefined, tokens };
    refused = found;
    return nothing(refused, tokens);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    if (refused === undefined)
      ctx.log.warn({ err: error }, 'the language model failed; the built-in bot answers');
    return nothing(refused ?? failure(error), error.tokens);
  } finally {
    clearInterval(alive);
    if (refused !== undefined)
      ctx.log.warn(
        { problem: refused.problem?.problem },
        'the language model wrote no usable reply; the built-in bot answers',
      );
  }

  function nothing(why: Refused | undefined, tokens: TokenCount | undefined): WrittenReply {
    show?.('');
    return { reply: undefined, result: why?.result ?? 'unreadable', problem: why?.problem, tokens };
  }
}

const failure = ({ hasWritten, isLate }: ModelError): Refused => ({
  result: 'failed',
  problem: { problem: hasWritten ? 'too_long' : isLate ? 'too_late' : 'provider', detail: null },
});
