import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** The behaviour of a language model for the next requests. */
export type Behaviour =
  /** Writes these pieces, then ends as providers do. */
  | { kind: 'writes'; pieces: readonly string[]; tokens?: { input: number; output: number } }
  /** Writes, and then stalls with an open connection. */
  | { kind: 'stalls'; pieces: readonly string[] }
  /** Writes, and then cuts the connection. */
  | { kind: 'breaks'; pieces: readonly string[] }
  /** Writes, and ends without an end marker. */
  | { kind: 'trails off'; pieces: readonly string[] }
  | { kind: 'refuses'; status: number; body: string }
  /** Sends something other than an event stream. */
  | { kind: 'babbles'; body: string };

const asked = z.object({
  model: z.string(),
  system: z.unknown().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});
export type Asked = z.infer<typeof asked> & { authorization: string | undefined; raw: string };

export interface ModelStub {
  /** With `/v1`. */
  readonly url: string;
  readonly asked: Asked[];
  behave(behaviour: Behaviour | ((asked: Asked) => Behaviour)): void;
  /** Lets a stalled response continue to its end. */
  release(): void;
  close(): Promise<void>;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;

interface Dialect {
  start: string;
  piece(text: string): string;
  end(tokens: { input: number; output: number }): string;
}

/** OpenAI's chat completions, as their servers and the compatible ones stream them. */
const OPENAI: Dialect = (() => {
  const chunk = (choice: object, more: object = {}): string =>
    event({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'stub',
      choices: [{ index: 0, finish_reason: null, ...choice }],
      ...more,
    });
  return {
    start: chunk({ delta: { role: 'assistant', content: '' } }),
    piece: (text) => chunk({ delta: { content: text } }),
    end: ({ input, output }) =>
      chunk({ delta: {}, finish_reason: 'stop' }) +
      event({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1_700_000_000,
        model: 'stub',
        choices: [],
        usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
      }) +
      'data: [DONE]\n\n',
  };
})();

/** Anthropic's messages. */
const ANTHROPIC: Dialect = {
  start:
    event(
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'stub',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 11, output_tokens: 1 },
        },
      },
      'message_start',
    ) +
    event(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      'content_block_start',
    ),
  piece: (text) =>
    event(
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      'content_block_delta',
    ),
  end: ({ output }) =>
    event({ type: 'content_block_stop', index: 0 }, 'content_block_stop') +
    event(
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: output },
      },
      'message_delta',
    ) +
    event({ type: 'message_stop' }, 'message_stop'),
};

/** A vector of the frequencies of 32 kinds of letter pairs in a text. */
function vectorOf(text: string): number[] {
  const vector = new Array<number>(32).fill(0);
  const letters = text.toLowerCase().replace(/[^a-z]/g, '');
  for (let at = 1; at < letters.length; at += 1) {
    const place = (letters.charCodeAt(at) * 7 + letters.charCodeAt(at - 1)) % 32;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

/** A provider on a port of its own that speaks OpenAI's protocol and Anthropic's, and fails as real ones do. */
export async function startModelStub(): Promise<ModelStub> {
  let behaviour: Behaviour | ((asked: Asked) => Behaviour) = { kind: 'writes', pieces: [''] };
  let held = Promise.withResolvers<void>();
  const requests: Asked[] = [];

  const write = async (response: ServerResponse, dialect: Dialect, now: Behaviour): Promise<void> => {
    if (now.kind === 'refuses') {
      response
        .writeHead(now.status, { 'content-type': 'application/json', 'retry-after': '60' })
        .end(now.body);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (now.kind === 'babbles') {
      response.end(now.body);
      return;
    }
    response.write(dialect.start);
    for (const piece of now.pieces) {
      response.write(dialect.piece(piece));
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (now.kind === 'stalls') await held.promise;
    if (now.kind === 'breaks') response.destroy();
    else if (now.kind === 'trails off') response.end();
    else
      response.end(dialect.end(now.kind === 'writes' && now.tokens ? now.tokens : { input: 11, output: 7 }));
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await bodyOf(request);
    if (request.url?.endsWith('/embeddings')) {
      const { input } = z.object({ input: z.array(z.string()) }).parse(JSON.parse(raw));
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ object: 'list', model: 'stub', data, usage: { prompt_tokens: 1, total_tokens: 1 } }),
      );
      return;
    }
    const heard = { ...asked.parse(JSON.parse(raw)), authorization: request.headers.authorization, raw };
    requests.push(heard);
    const dialect = request.url?.endsWith('/messages') ? ANTHROPIC : OPENAI;
    await write(response, dialect, typeof behaviour === 'function' ? behaviour(heard) : behaviour);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked: requests,
    behave(next) {
      behaviour = next;
    },
    release() {
      held.resolve();
      held = Promise.withResolvers();
    },
    async close() {
      held.resolve();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
