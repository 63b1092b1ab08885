import type { AiSettings } from './settings.ts';

/** What was said before; what comes from strangers belongs here, never into the instructions. */
export interface ModelMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  /** More than this is not read: the writing is given up. */
  readonly maxChars: number;
  /** Everything that has been written so far, each time more is there. */
  readonly onText?: (soFar: string) => void;
  readonly signal?: AbortSignal;
}

/** As the provider reports them. */
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
  /** @throws ModelError when it fails, breaks off, writes without end, or takes longer than it may. */
  write(request: ModelRequest): Promise<Written>;
}

/** The provider, or what came of it, is of no use; the caller has another way. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Whether the model did write: too much, or until it was stopped. */
  readonly hasWritten: boolean;

  constructor(
    message: string,
    { hasWritten = false, ...options }: ErrorOptions & { hasWritten?: boolean } = {},
  ) {
    super(message, options);
    this.hasWritten = hasWritten;
  }
}

/** Decisions 8. */
const MODEL_MAX_MS = 20_000;
/** About how many characters a token has at the least, for the bound that the provider is given. */
const CHARS_PER_TOKEN = 2;

interface ModelOptions {
  /** For each request. */
  maxMs?: number;
  /** How requests go out; by default directly, as the operator's settings may. */
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
      try {
        return await stream(await opened, request, signal);
      } catch (error) {
        if (error instanceof ModelError) throw error;
        throw new ModelError(signal.aborted ? 'it took too long' : 'it failed', { cause: error });
      }
    },
  };
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
    };
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const open = createOpenAICompatible({
    name: 'foyer',
    baseURL: baseUrl ?? '',
    includeUsage: true,
    ...options,
  });
  return { streamText, model: open(name) };
}

async function stream(
  { streamText, model }: Awaited<ReturnType<typeof openModel>>,
  { instructions, messages, maxChars, onText }: ModelRequest,
  signal: AbortSignal,
): Promise<Written> {
  const overflow = new AbortController();
  const result = streamText({
    model,
    instructions,
    messages: messages.map(({ role, content }) => ({ role, content })),
    maxOutputTokens: Math.ceil(maxChars / CHARS_PER_TOKEN),
    maxRetries: 0,
    abortSignal: AbortSignal.any([signal, overflow.signal]),
    // What fails is a part of the stream; by default it would be printed as well.
    onError: () => undefined,
  });
  let text = '';
  for await (const part of result.stream) {
    if (part.type === 'text-delta') {
      text += part.text;
      if (text.length > maxChars) {
        overflow.abort();
        throw new ModelError('it wrote too much', { hasWritten: true });
      }
      onText?.(text);
    } else if (part.type === 'error') throw part.error;
    else if (part.type === 'abort') throw new ModelError('it took too long');
    else if (part.type === 'finish') {
      if (part.finishReason !== 'stop')
        throw new ModelError(`it stopped: ${part.finishReason}`, {
          hasWritten: part.finishReason === 'length',
        });
      const { inputTokens, outputTokens } = part.totalUsage;
      return { text, tokens: { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 } };
    }
  }
  throw new ModelError('it broke off');
}
