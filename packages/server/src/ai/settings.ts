import { StartError } from '../base/start-error.ts';

const AI_PROVIDERS = ['openai', 'anthropic'] as const;
export type AiProvider = (typeof AI_PROVIDERS)[number];

/**
 * The model that answers (FOYER_AI_MODEL) and the one that embeds (FOYER_AI_EMBEDDING_MODEL); either may be set alone.
 */
export interface AiSettings {
  readonly provider: AiProvider;
  /** Without a slash at the end. Undefined for Anthropic's own address. */
  readonly baseUrl: string | undefined;
  /** Undefined for a local server that requires none. */
  readonly key: string | undefined;
  readonly model: string | undefined;
  readonly embeddingModel: string | undefined;
}

const NAME_MAX_CHARS = 200;

type Environment = Record<string, string | undefined>;

function modelName(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  if (!value) return undefined;
  if (value.length > NAME_MAX_CHARS)
    throw new StartError(`${name} is invalid: expected at most ${NAME_MAX_CHARS} characters`);
  return value;
}

/** Undefined when no model is named: then only the built-in bot answers, and nothing leaves the machine. */
export function readAiSettings(env: Environment): AiSettings | undefined {
  const provider = AI_PROVIDERS.find((known) => known === (env.FOYER_AI_PROVIDER || 'openai'));
  if (provider === undefined)
    throw new StartError('FOYER_AI_PROVIDER is invalid: expected openai or anthropic');
  const model = modelName(env, 'FOYER_AI_MODEL');
  const embeddingModel = modelName(env, 'FOYER_AI_EMBEDDING_MODEL');
  const baseUrl = env.FOYER_AI_BASE_URL || undefined;
  const key = env.FOYER_AI_KEY || undefined;
  if (model === undefined && embeddingModel === undefined) {
    const lonely = ['FOYER_AI_BASE_URL', 'FOYER_AI_KEY', 'FOYER_AI_PROVIDER'].find((name) => env[name]);
    if (lonely === undefined) return undefined;
    throw new StartError(`${lonely} is set, but neither FOYER_AI_MODEL nor FOYER_AI_EMBEDDING_MODEL is`);
  }
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new StartError(
      'FOYER_AI_BASE_URL is invalid: expected an address that starts with http:// or https://',
    );
  if (provider === 'openai' && baseUrl === undefined)
    throw new StartError(
      'FOYER_AI_BASE_URL is missing: set the address of the endpoint, such as https://api.openai.com/v1',
    );
  if (provider === 'anthropic' && key === undefined)
    throw new StartError('FOYER_AI_KEY is missing: Anthropic requires one');
  if (provider === 'anthropic' && embeddingModel !== undefined)
    throw new StartError(
      'FOYER_AI_EMBEDDING_MODEL is invalid with FOYER_AI_PROVIDER=anthropic, which has no embeddings',
    );
  return Object.freeze({
    provider,
    baseUrl: baseUrl?.replace(/(?<!\/)\/+$/, ''),
    key,
    model,
    embeddingModel,
  });
}
