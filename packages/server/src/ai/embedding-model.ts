import type { AiSettings } from './settings.ts';

/** Turns texts into vectors; texts of similar meaning are near each other. */
export interface EmbeddingModel {
  /** Vectors of different models can't be compared. */
  readonly name: string;
  /** The only language that it understands; undefined: any. */
  readonly language: 'en' | undefined;
  /** No provider is asked. */
  readonly isLocal: boolean;
  /** How many passages to embed with one call. */
  readonly batch: number;
  /** Each of length 1, in the order of the texts. @throws when the model fails or is slower than `maxMs`. */
  embed(texts: readonly string[], maxMs: number): Promise<Float32Array[]>;
}

const PROVIDER_BATCH = 64;

/** Undefined without FOYER_AI_EMBEDDING_MODEL. The SDK is loaded by the first request. */
export function createEmbeddingModel(settings: AiSettings | undefined): EmbeddingModel | undefined {
  const name = settings?.embeddingModel;
  if (settings === undefined || name === undefined) return undefined;
  let opened: ReturnType<typeof openModel> | undefined;
  return {
    name,
    language: undefined,
    isLocal: false,
    batch: PROVIDER_BATCH,
    async embed(texts, maxMs) {
      opened ??= openModel(settings, name);
      const { embedMany, model } = await opened;
      const abortSignal = AbortSignal.timeout(maxMs);
      const { embeddings } = await embedMany({ model, values: [...texts], maxRetries: 0, abortSignal });
      return embeddings.map(ofLengthOne);
    },
  };
}

async function openModel({ baseUrl, key }: AiSettings, name: string) {
  const [{ embedMany }, { createOpenAICompatible }] = await Promise.all([
    import('ai'),
    import('@ai-sdk/openai-compatible'),
  ]);
  const apiKey = key === undefined ? {} : { apiKey: key };
  const open = createOpenAICompatible({ name: 'foyer', baseURL: baseUrl ?? '', ...apiKey });
  return { embedMany, model: open.embeddingModel(name) };
}

function ofLengthOne(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length > 0 ? value / length : 0));
}
