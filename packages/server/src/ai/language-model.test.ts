import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Behaviour, type ModelStub, startModelStub } from '../../test/model-stub.ts';
import { createLanguageModel, type LanguageModel, ModelError } from './language-model.ts';
import { type AiProvider, readAiSettings } from './settings.ts';

let stub: ModelStub;
beforeAll(async () => {
  stub = await startModelStub();
});
afterAll(() => stub.close());

function modelOf(provider: AiProvider, maxMs?: number): LanguageModel {
  const settings = readAiSettings({
    FOYER_AI_PROVIDER: provider,
    FOYER_AI_BASE_URL: stub.url,
    FOYER_AI_KEY: 'key-of-the-test',
    FOYER_AI_MODEL: 'stub',
  });
  const model = createLanguageModel(settings, maxMs === undefined ? {} : { maxMs });
  if (model === undefined) throw new Error('a model is named, so there is one');
  return model;
}
const request = {
  instructions: 'Be brief.',
  messages: [{ role: 'user' as const, content: 'Hello' }],
  maxChars: 500,
};

describe.each(['openai', 'anthropic'] as const)('a language model that speaks as %s', (provider) => {
  test('is read while it writes, and its tokens are those that it reports', async () => {
    stub.behave({ kind: 'writes', pieces: ['Good ', 'day', '.'], tokens: { input: 11, output: 7 } });
    const heard: string[] = [];
    const written = await modelOf(provider).write({ ...request, onText: (soFar) => heard.push(soFar) });
    expect(written).toEqual({ text: 'Good day.', tokens: { inputTokens: 11, outputTokens: 7 } });
    expect(heard).toEqual(['Good ', 'Good day', 'Good day.']);
    expect(stub.asked.at(-1)).toMatchObject({ model: 'stub' });
    expect(stub.asked.at(-1)?.raw).toContain('Be brief.');
  });

  test.each<[string, Behaviour]>([
    [
      'refuses for too many requests',
      { kind: 'refuses', status: 429, body: '{"error":{"message":"slow down"}}' },
    ],
    ['fails', { kind: 'refuses', status: 500, body: 'oops' }],
    ['is cut off', { kind: 'breaks', pieces: ['Half an ans'] }],
    ['ends without saying so', { kind: 'trails off', pieces: ['Half an ans'] }],
    ['answers with a page', { kind: 'babbles', body: '<html><body>Bad gateway</body></html>' }],
    ['answers with no JSON', { kind: 'babbles', body: 'data: {{{\n\ndata: [DONE]\n\n' }],
    ['writes without end', { kind: 'writes', pieces: Array.from({ length: 600 }, () => 'ha') }],
  ])('fails when it %s', async (_, behaviour) => {
    stub.behave(behaviour);
    const before = stub.asked.length;
    await expect(modelOf(provider).write(request)).rejects.toMatchObject({ name: 'ModelError' });
    expect(stub.asked.length - before).toBe(1);
  });

  test('fails if it is not done in time, even if it has begun to write', async () => {
    stub.behave({ kind: 'stalls', pieces: ['Wait'] });
    await expect(modelOf(provider, 1).write(request)).rejects.toThrow('it took too long');
    stub.release();
  });

  test('is stopped as soon as its caller aborts', async () => {
    stub.behave({ kind: 'stalls', pieces: ['Wait'] });
    const given = new AbortController();
    const writing = modelOf(provider).write({
      ...request,
      signal: given.signal,
      onText: () => given.abort(),
    });
    await expect(writing).rejects.toMatchObject({ name: 'ModelError' });
    stub.release();
  });
});

describe('the tokens of a failed request', () => {
  const failed = async (behaviour: Behaviour, provider: AiProvider = 'openai'): Promise<ModelError> => {
    stub.behave(behaviour);
    const error: unknown = await modelOf(provider)
      .write(request)
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof ModelError)) throw new Error('it did not fail');
    return error;
  };

  test.each(['openai', 'anthropic'] as const)('are undefined if %s refused', async (provider) => {
    const refused = { kind: 'refuses', status: 429, body: '{}' } as const;
    expect((await failed(refused, provider)).tokens).toBeUndefined();
  });

  test('are undefined if the provider was not reached', async () => {
    const closed = await startModelStub();
    await closed.close();
    const settings = readAiSettings({ FOYER_AI_BASE_URL: closed.url, FOYER_AI_MODEL: 'stub' });
    await expect(createLanguageModel(settings)?.write(request)).rejects.toMatchObject({ tokens: undefined });
  });

  test.each(['openai', 'anthropic'] as const)(
    'are estimated if the response of %s was cut off',
    async (provider) => {
      const { tokens } = await failed({ kind: 'breaks', pieces: ['Half an answer…'] }, provider);
      // "Be brief." and "Hello" have 14 bytes; the ellipsis has three.
      expect(tokens).toEqual({ inputTokens: 4, outputTokens: 5 });
    },
  );

  test('are estimated for a request that was aborted before the first word', async () => {
    stub.behave({ kind: 'stalls', pieces: [] });
    await expect(modelOf('openai', 1).write(request)).rejects.toMatchObject({
      isLate: true,
      tokens: { inputTokens: 4, outputTokens: 0 },
    });
    stub.release();
  });
});

describe('the part that many requests share', () => {
  const messages = [{ role: 'user' as const, stable: 'All articles.', content: 'A question' }];

  test('is marked for Anthropic, which caches it', async () => {
    stub.behave({ kind: 'writes', pieces: ['Yes.'] });
    await modelOf('anthropic').write({ ...request, messages });
    expect(stub.asked.at(-1)?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'All articles.', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'A question' },
        ],
      },
    ]);
  });

  test('is part of one text for other providers', async () => {
    stub.behave({ kind: 'writes', pieces: ['Yes.'] });
    await modelOf('openai').write({ ...request, messages });
    expect(stub.asked.at(-1)?.messages.at(-1)).toEqual({
      role: 'user',
      content: 'All articles.\n\nA question',
    });
  });
});

describe('the settings of a language model', () => {
  test('are none by default', () => {
    expect(readAiSettings({})).toBeUndefined();
    expect(createLanguageModel(undefined)).toBeUndefined();
  });

  test.each([
    [{ FOYER_AI_KEY: 'k' }, /^FOYER_AI_KEY is set, but neither/],
    [{ FOYER_AI_MODEL: 'm' }, /^FOYER_AI_BASE_URL is missing/],
    [{ FOYER_AI_MODEL: 'm', FOYER_AI_BASE_URL: 'file:///etc' }, /^FOYER_AI_BASE_URL is invalid/],
    [{ FOYER_AI_MODEL: 'm', FOYER_AI_PROVIDER: 'other' }, /^FOYER_AI_PROVIDER is invalid/],
    [{ FOYER_AI_MODEL: 'm', FOYER_AI_PROVIDER: 'anthropic' }, /^FOYER_AI_KEY is missing/],
    [
      { FOYER_AI_EMBEDDING_MODEL: 'm', FOYER_AI_PROVIDER: 'anthropic', FOYER_AI_KEY: 'k' },
      /^FOYER_AI_EMBEDDING_MODEL is invalid/,
    ],
  ])('that do not go together stop the start with one line: %j', (env, line) => {
    expect(() => readAiSettings(env)).toThrow(line);
  });
});
