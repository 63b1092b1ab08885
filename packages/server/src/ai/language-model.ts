import type { AssistantModelMessage, UserModelMessage } from 'ai';
import { createCounter } from '../base/counters.ts';
import { inSpan, type Span } from '../base/spans.ts';
import type { AiSettings } from './settings.ts';

/** The messages so far. Text from strangers belongs here, never into the instructions. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Precedes `content` and is the same in many requests, so that the provider can cache it. */
  readonly stable?: string;
}

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  /** The request is aborted when the model has written more than this. */
  readonly maxChars: number;
  /** Called with everything written so far, each time there is more. */
  readonly onText?: (soFar: string) => void;
  readonly signal?: AbortSignal;
}

/** As the provider reports them; an estimate for a request that failed before it did. */
export interface TokenCount {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface Written {
  readonly text: string;
  readonly tokens: TokenCount;
}

/** What a model is opened with. */
export type ModelSettings = Omit<AiSettings, 'embeddingModel'>;

/** The language model of the operator or a site. It has no tools, and a failed call is not repeated. */
export interface LanguageModel {
  /**
   * @throws ModelError when it fails, breaks off, writes too much, takes too long, or `signal` aborts it; with the
   *   tokens that it used nevertheless.
   */
  write(request: ModelRequest): Promise<Written>;
}

/** The provider or its reply is unusable; the caller has a fallback. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Whether the model did write: too much, or until it was stopped. */
  readonly hasWritten: boolean;
  /** Whether it took too long, or was aborted. */
  readonly isLate: boolean;
  /** The tokens that it used nevertheless; undefined if the provider refused or was not reached. */
  readonly tokens: TokenCount | undefined;

  constructor(
    message: string,
    {
      hasWritten = false,
      isLate = false,
      tokens,
      ...options
    }: ErrorOptions & { hasWritten?: boolean; isLate?: boolean; tokens?: TokenCount | undefined } = {},
  ) {
    super(message, options);
    this.hasWritten = hasWritten;
    this.isLate = isLate;
    this.tokens = tokens;
  }
}

const calls = createCounter('foyer_model_calls_total', 'Calls of language models, by result', ['result']);
const tokensTaken = createCounter('foyer_model_tokens_total', 'Tokens of language models, by direction', [
  'direction',
]);

function count(result: 'ok' | 'failed' | 'late', tokens: TokenCount | undefined): void {
  calls.add(1, result);
  tokensTaken.add(tokens?.inputTokens ?? 0, 'input');
  tokensTaken.add(tokens?.outputTokens ?? 0, 'output');
}

/** [Language model](../../../../docs/contract/decisions.md#language-model). */
const MODEL_MAX_MS = 20_000;
/** About how many bytes of UTF-8 a token has, if the provider doesn't report tokens. */
const BYTES_PER_TOKEN = 4;
/** The fewest characters that a token usually has, for the limit that the provider is sent. */
const CHARS_PER_TOKEN = 2;

interface ModelOptions {
  /** The time limit of each request. */
  maxMs?: number;
  /** How requests are sent; by default directly, as the operator's settings may. */
  fetch?: typeof fetch;
}

/** Undefined without FOYER_AI_MODEL. The SDK is loaded by the first request. */
export function createLanguageModel(
  settings: ModelSettings | undefined,
  { maxMs = MODEL_MAX_MS, fetch }: ModelOptions = {},
): LanguageModel | undefined {
  const name = settings?.model;
  if (settings === undefined || name === undefined) return undefined;
  let opened: ReturnType<typeof openModel> | undefined;
  return {
    async write(request) {
      opened ??= openModel(settings, name, fetch);
      const signal = AbortSignal.any([
        AbortSignal.timeout(maxMs),
        ...(request.signal ? [request.signal] : []),
      ]);
      const progress: Progress = { bytes: 0 };
      try {
        const model = await opened;
        const written = await inSpan('language model', { kind: 'client' }, (span) =>
          traced(span, stream(model, request, signal, progress)),
        );
        count('ok', written.tokens);
        return written;
      } catch (error) {
        const isOurs = error instanceof ModelError;
        const isLate = signal.aborted;
        const message = isOurs ? error.message : isLate ? 'it took too long' : 'it failed';
        const tokens = (isOurs && error.tokens) || tokensSpent(request, progress, isLate);
        count(isLate ? 'late' : 'failed', tokens || undefined);
        throw new ModelError(message, {
          cause: error,
          hasWritten: isOurs && error.hasWritten,
          isLate,
          tokens,
        });
      }
    },
  };
}

async function traced(span: Span | undefined, writing: Promise<Written>): Promise<Written> {
  const written = await writing;
  const { inputTokens, outputTokens } = written.tokens;
  span?.set({ 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens });
  return written;
}

async function openModel(
  { provider, baseUrl, key }: ModelSettings,
  name: string,
  fetch: ModelOptions['fetch'],
) {
  const options = {
    ...(key === undefined ? {} : { apiKey: key }),
    ...(fetch === undefined ? {} : { fetch }),
  };
  const { streamText } = await import('ai');
  if (provider === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return {
      streamText,
      model: createAnthropic({ ...options, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) })(name),
      hasParts: true,
    };
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const open = createOpenAICompatible({
    name: 'foyer',
    baseURL: baseUrl ?? '',
    includeUsage: true,
    ...options,
  });
  return { streamText, model: open(name), hasParts: false };
}

/** The progress of a request. */
interface Progress {
  /** Bytes written, including reasoning. */
  bytes: number;
}

/** An estimate of the tokens of a request that failed. */
function tokensSpent(
  { instructions, messages }: ModelRequest,
  { bytes }: Progress,
  wasGivenUp: boolean,
): TokenCount | undefined {
  if (bytes === 0 && !wasGivenUp) return undefined;
  const read = [instructions, ...messages.map(contentOf)].join('');
  return { inputTokens: tokensIn(Buffer.byteLength(read)), outputTokens: tokensIn(bytes) };
}

const tokensIn = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

const contentOf = ({ stable, content }: ModelMessage): string =>
  stable === undefined ? content : `${stable}\n\n${content}`;

/** Anthropic caches only marked parts; other providers compare the beginnings of requests. */
const partsOf = ({ stable, content }: ModelMessage) => [
  ...(stable === undefined
    ? []
    : [
        {
          type: 'text' as const,
          text: stable,
          providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
        },
      ]),
  { type: 'text' as const, text: content },
];

const asSent = (message: ModelMessage, hasParts: boolean): UserModelMessage | AssistantModelMessage =>
  message.role === 'assistant'
    ? { role: 'assistant', content: contentOf(message) }
    : { role: 'user', content: hasParts ? partsOf(message) : contentOf(message) };

async function stream(
  { streamText, model, hasParts }: Awaited<ReturnType<typeof openModel>>,
  { instructions, messages, maxChars, onText }: ModelRequest,
  signal: AbortSignal,
  progress: Progress,
): Promise<Written> {
  const overflow = new AbortController();
  const result = streamText({
    model,
    instructions,
    messages: messages.map((message) => asSent(message, hasParts)),
    maxOutputTokens: Math.ceil(maxChars / CHARS_PER_TOKEN),
    maxRetries: 0,
    abortSignal: AbortSignal.any([signal, overflow.signal]),
    // Errors arrive as parts of the stream; by default they would be printed as well.
    onError: () => undefined,
  });
  let text = '';
  for await (const part of result.stream) {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta')
      progress.bytes += Buffer.byteLength(part.text);
    if (part.type === 'text-delta') {
      text += part.text;
      if (text.length > maxChars) {
        overflow.abort();
        throw new ModelError('it wrote too much', { hasWritten: true });
      }
      onText?.(text);
      // The caller may have aborted in `onText`.
      signal.throwIfAborted();
    } else if (part.type === 'error') throw part.error;
    else if (part.type === 'abort') throw new ModelError('it took too long');
    else if (part.type === 'finish') {
      const { inputTokens = 0, outputTokens = 0 } = part.totalUsage;
      const tokens = { inputTokens, outputTokens };
      if (part.finishReason !== 'stop')
        throw new ModelError(`it stopped: ${part.finishReason}`, {
          hasWritten: part.finishReason === 'length',
          tokens: inputTokens + outputTokens > 0 ? tokens : undefined,
        });
      return { text, tokens };
    }
  }
  throw new ModelError('it broke off');
}
